import { call } from '../../api/call.ts'
import type { Task } from '../../api/types.ts'
import { useCollection } from '../../api/use-collection.ts'
import { useCompany, useStanding } from '../../frame/standing.ts'
import { useLive } from '../../live/use-live.ts'
import { Thread } from './comments.tsx'
import type { ComposerProps } from './composer.tsx'
import { useDoingWords } from './doing-words.ts'
import { useWorkWords } from './words.ts'

/** What was said about a task, and a field to say more. */
export function TaskThread({ task: { id: task, project_id }, canWrite }: { task: Task; canWrite: boolean }) {
  const t = useWorkWords()
  const doing = useDoingWords()
  const { id: company } = useCompany()
  const { may } = useStanding()
  const at = { params: { company, task } }
  const comments = useCollection('GET /companies/{company}/records/tasks/{task}/comments', at)
  useLive({ kinds: ['comment'], parent: task }, comments.reload)
  const add: ComposerProps['add'] = async (body, idempotencyKey) => {
    const path = 'POST /companies/{company}/records/tasks/{task}/comments'
    return (await call(path, { ...at, body, idempotencyKey })).data
  }
  const edit = async (comment: number, content: string) => {
    const path = 'PATCH /companies/{company}/records/tasks/{task}/comments/{comment}'
    return (await call(path, { params: { company, task, comment }, body: { content } })).data
  }
  const writing =
    canWrite && may('createTaskComment')
      ? { label: doing.comment, send: doing.sendComment, place: `task/${task}/comment`, add, edit }
      : undefined
  return <Thread empty={t.noComments} of={comments} about={task} project={project_id} writing={writing} />
}
