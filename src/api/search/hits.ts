import type { Db } from '../../db/db.ts'
import { advance, begin, type FirstLook, type Hit, nextStep, type Progress, type Step } from './plan.ts'
import { readQuery } from './ranks.ts'
import type { HitType } from './sources.ts'
import { firstStatement, statementOf } from './statements.ts'
import type { Asked } from './written.ts'

/**
 * The best hits of each kind. A word that is common has its newest hits among the newest records, and one that is rare has
 * few. So the newest are looked through first, and then only what can be better than what they had is looked for: back
 * from the newest when a sample says that there is much of it, and else by the indexes. Either way the cost hardly follows
 * the number of records. Kinds whose next step is the same take it together.
 */
export async function findHits(
  db: Db,
  types: readonly HitType[],
  { name, ...rest }: { companyId: number; name: string; limit: number },
): Promise<Map<HitType, object[]>> {
  const asked = { ...rest, types, query: readQuery(name) }
  const progress = await lookFirst(db, asked)
  for (let steps = nextSteps(progress, asked); steps.size > 0; steps = nextSteps(progress, asked))
    await Promise.all([...steps.values()].map(together => take(db, asked, progress, together)))
  return new Map([...progress].map(([type, { hits }]) => [type, hits.map(hit => hit.shown)]))
}

async function lookFirst(db: Db, asked: Asked): Promise<Map<HitType, Progress>> {
  const rows = await db.many<FirstLook & { type: HitType }>(firstStatement(asked))
  const nothing = { hits: [], complete: true, sample: null }
  return new Map(asked.types.map(type => [type, begin(rows.find(row => row.type === type) ?? nothing, asked)]))
}

/** The same step of some kinds. */
interface Together {
  step: Step
  types: HitType[]
}

function nextSteps(progress: Map<HitType, Progress>, asked: Asked): Map<string, Together> {
  const steps = new Map<string, Together>()
  for (const [type, known] of progress) {
    const step = nextStep(known, asked)
    if (!step) continue
    const key = Object.values(step).join()
    const others = steps.get(key)?.types ?? []
    steps.set(key, { step, types: [...others, type] })
  }
  return steps
}

async function take(db: Db, asked: Asked, progress: Map<HitType, Progress>, { step, types }: Together): Promise<void> {
  const rows = await db.many<{ type: HitType; hits: Hit[] }>(statementOf({ ...asked, types }, step))
  for (const type of types) {
    const hits = rows.find(row => row.type === type)?.hits ?? []
    progress.set(type, advance(progress.get(type) as Progress, step, hits, asked))
  }
}
