import fc from 'fast-check'
import type { Diwan } from '../support/diwan.ts'
import { seed } from '../support/random.ts'
import { expectTheCounts, expectTheSame } from './model/agreement.ts'
import { ON_COMMENTS } from './model/comments.ts'
import { ON_DISCUSSIONS } from './model/discussions.ts'
import { ON_EVENTS } from './model/events.ts'
import { ON_FILES } from './model/files.ts'
import { ON_LISTS } from './model/lists.ts'
import { ON_PROJECTS } from './model/projects.ts'
import type { Act, Model } from './model/state.ts'
import { ON_TASKS } from './model/tasks.ts'

/** In each sequence. */
export const COMMANDS = 40

/** A command for every write of the API, by the name of its operation. */
const ACTS: Record<string, Act> = {
  ...ON_PROJECTS,
  ...ON_LISTS,
  ...ON_TASKS,
  ...ON_COMMENTS,
  ...ON_DISCUSSIONS,
  ...ON_FILES,
  ...ON_EVENTS,
}

/** These are drawn more often, so that the others find something to work on, in projects that are open. */
const OFTEN = [
  'createTaskList',
  'createTask',
  'createTask',
  'createTasks',
  'moveTask',
  'completeTask',
  'completeTask',
  'createFolder',
  'unarchiveProject',
]

const number = fc.nat({ max: 20 })
const command = fc.record({
  operation: fc.constantFrom(...Object.keys(ACTS), ...OFTEN),
  /** A sequence has a fixed length: it shrinks by commands that are left out, which are hardly ever drawn. */
  isDone: fc.noBias(fc.nat({ max: 10_000 })).map(n => n > 0),
  n: number,
  m: number,
  text: fc.constantFrom('Plan', 'plan!', 'خطة', 'Other'),
  external_id: fc.constantFrom('crm-1', 'crm-2', 'crm-3'),
  isNested: fc.boolean(),
  isOther: fc.boolean(),
})

/**
 * Carries out sequences of commands on the API and on the model, and returns how many commands that were. A sequence that they
 * disagree about is shrunk in so many steps, each of which takes as long as a sequence.
 */
export async function expectTheModelToAgree(diwan: Diwan, sequences: number, steps = 0): Promise<number> {
  let done = 0
  const sequence = fc.limitShrink(fc.array(command, { minLength: COMMANDS, maxLength: COMMANDS }), steps)
  const property = fc.asyncProperty(sequence, async commands => {
    const company = await diwan.company()
    const { email: other } = await diwan.person(company.id)
    const { api } = company
    const model: Model = { projects: [], events: [], people: { signer: company.owner.email, other } }
    for (const isOther of [true, false])
      await ON_PROJECTS.createProject?.(model, api, {
        n: 0,
        m: 0,
        text: 'Plan',
        external_id: '',
        isNested: false,
        isOther,
      })
    for (const { operation, isDone, ...choices } of commands) {
      if (!isDone) continue
      await ACTS[operation]?.(model, api, choices)
      await expectTheCounts(model, api, choices.n)
      done++
    }
    await expectTheSame(model, api)
  })
  await fc.assert(property, { numRuns: sequences, seed, endOnFailure: steps === 0 })
  return done
}
