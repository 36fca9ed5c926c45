import { CallFailed, call } from '../../api/call.ts'
import type { ChangeTasksBody, Task } from '../../api/types.ts'
import { TakenBack, type WorkingTasks } from './use-working-tasks.ts'

/** What is done to one of several tasks: how it is sent, and how it looks at once. */
export interface BatchedChange {
  task: Task
  send: Omit<ChangeTasksBody['changes'][number], 'task'>
  shown: Partial<Task>
}

export interface BatchResult {
  done: Task[]
  /** Why the rest was not done, and which task was to blame, when it was one. */
  refused: { failure: CallFailed; task: Task | undefined } | undefined
}

/** The most changes in one request. */
const PIECE = 100

/** Changes several tasks, a piece at a time: of a piece all is stored, or nothing, and then none of it stays on the page. */
export async function sendBatch(company: number, working: WorkingTasks, all: BatchedChange[]): Promise<BatchResult> {
  const result: BatchResult = { done: [], refused: undefined }
  const pieces: BatchedChange[][] = []
  for (let n = 0; n < all.length; n += PIECE) pieces.push(all.slice(n, n + PIECE))
  // All are shown at once; each piece is sent when those before it are stored.
  let last: Promise<unknown> = Promise.resolve()
  const sending = pieces.map(piece => {
    const sent = sendPiece(company, working, piece, last)
    last = sent
    return sent
  })
  for (const { done, refused } of await Promise.all(sending)) {
    result.done.push(...done)
    result.refused ??= refused
  }
  return result
}

async function sendPiece(
  company: number,
  working: WorkingTasks,
  piece: BatchedChange[],
  turn: Promise<unknown>,
): Promise<BatchResult> {
  let refused: BatchResult['refused']
  let waiting = piece.length
  let begin = () => {}
  const answered = new Promise<void>(resolve => {
    begin = resolve
  })
    .then(() => turn)
    .then(() => {
      const changes = piece.map(({ task, send }) => ({ ...send, task: task.id }))
      return call('POST /companies/{company}/records/company/tasks/batch', { params: { company }, body: { changes } })
    })
    .catch(error => {
      refused = refusalOf(error, piece)
      throw error
    })
  const stored = await Promise.all(
    piece.map(({ task, shown }, n) =>
      working.change(
        task,
        before => ({ ...before, ...shown }),
        async () => {
          // What was done to one of them before is stored first.
          if (--waiting === 0) begin()
          try {
            return (await answered).data[n]
          } catch {
            throw refused?.task === task ? refused.failure : new TakenBack()
          }
        },
      ),
    ),
  )
  return { done: piece.filter((_, n) => stored[n]).map(({ task }) => task), refused }
}

/** The server names the change that it refuses by its place, as in `changes[3].list_id`. People know the task by its title. */
function refusalOf(error: unknown, piece: BatchedChange[]): NonNullable<BatchResult['refused']> {
  const failure = error instanceof CallFailed ? error : new CallFailed(0, 'unexpected', String(error))
  const place = /^\u2068?changes\[(\d{1,3})\](?:\.(\w{1,30}))?/.exec(failure.message)
  if (!place) return { failure, task: undefined }
  const field = place[2] && place[2] !== 'task' ? place[2] : ''
  const rest = failure.message.slice(place[0].length).replace(/^\u2069?[:\s]*/, '')
  const message = field ? `\u2068${field}\u2069 ${rest}` : rest
  const { status, code, retryAfterSeconds, requestId } = failure
  return {
    failure: new CallFailed(status, code, message, retryAfterSeconds, requestId),
    task: piece[Number(place[1])]?.task,
  }
}
