import type { Db } from '../../db/db.ts'
import type { Viewer } from '../../domain/access/sight.ts'
import type { SampledKinds } from '../../domain/records/search-samples.ts'
import { advance, type Hit, nextStep, type Progress, type Step } from './plan.ts'
import { readQuery } from './ranks.ts'
import { matchesIn } from './samples.ts'
import type { HitType } from './sources.ts'
import { lookOf, statementOf } from './statements.ts'
import type { Asked } from './written.ts'

/**
 * The best hits of each kind. A common word has its newest hits among the newest records; a rare one has few hits, which the
 * indexes find. A sample tells which it is. Either way the cost hardly depends on the number of records. Kinds with the same next
 * step share a statement.
 */
export async function findHits(
  db: Db,
  types: readonly HitType[],
  { name, samples, ...rest }: { viewer: Viewer; name: string; limit: number; samples: SampledKinds },
): Promise<Map<HitType, Hit[]>> {
  const query = readQuery(name)
  const asked = { ...rest, query }
  const begun = (type: HitType): Progress => ({ hits: [], sample: matchesIn(samples.get(type), query), settled: 0 })
  const progress = new Map(types.map(type => [type, begun(type)]))
  for (;;) {
    const steps = [...progress].map(([type, known]) => [type, nextStep(known, asked)] as const).filter(isStep)
    if (steps.length === 0) return new Map([...progress].map(([type, { hits }]) => [type, hits]))
    await Promise.all(alike(steps).map(together => take(db, { ...asked, steps: together }, progress)))
  }
}

const isStep = (entry: readonly [HitType, Step | undefined]): entry is [HitType, Step] => entry[1] !== undefined

/** Groups the steps that one statement can take. */
function alike(steps: [HitType, Step][]): Map<HitType, Step>[] {
  const looks = new Map<string, Map<HitType, Step>>()
  for (const [type, step] of steps) {
    const look = lookOf(step)
    looks.set(look, (looks.get(look) ?? new Map()).set(type, step))
  }
  return [...looks.values()]
}

async function take(db: Db, asked: Asked, progress: Map<HitType, Progress>): Promise<void> {
  const hits = await db.many<Hit & { type: HitType }>(statementOf(asked))
  for (const [type, step] of asked.steps) {
    const ofType = hits.filter(hit => hit.type === type)
    progress.set(type, advance(progress.get(type) as Progress, step, ofType, asked))
  }
}
