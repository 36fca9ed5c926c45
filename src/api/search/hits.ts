import type { Db } from '../../db/db.ts'
import { advance, type Batch, begin, nextStep } from './plan.ts'
import { readQuery } from './ranks.ts'
import type { HitType } from './sources.ts'
import { firstStatement, statementOf, type WantedOf } from './statements.ts'

/**
 * The best hits of each kind. A word that is common has its newest hits among the newest records, and one that is rare has
 * few. So the newest are looked through first, and then only what can be better than what they had is looked for: back
 * from the newest when a sample says that there is much of it, and else by the indexes. Either way the cost hardly follows
 * the number of records. Each kind has its own statements, so that there are few texts, whatever is asked for.
 */
export async function findHits(
  db: Db,
  types: readonly HitType[],
  { name, ...rest }: { companyId: number; name: string; limit: number },
): Promise<Map<HitType, object[]>> {
  const wanted = { ...rest, query: readQuery(name) }
  return new Map(await Promise.all(types.map(async type => [type, await findOfType(db, type, wanted)] as const)))
}

async function findOfType(db: Db, type: HitType, wanted: WantedOf): Promise<object[]> {
  let progress = begin(await db.one<Batch>(firstStatement(type, wanted)), wanted)
  for (let step = nextStep(progress, wanted); step; step = nextStep(progress, wanted)) {
    progress = advance(progress, step, await db.one<Batch>(statementOf(type, wanted, step)), wanted)
  }
  return progress.hits.map(hit => hit.shown)
}
