import { addressOfDiscussion } from './discussions.ts'
import { addressOfList } from './lists.ts'
import {
  type Act,
  at,
  type Choices,
  type Comment,
  discussions,
  frozen,
  lists,
  type Model,
  type Project,
  settle,
  tasks,
} from './state.ts'
import { addressOfTask } from './tasks.ts'

interface Commented {
  project: Project
  address: string
  comments: Comment[]
}
type Find = (model: Model, choices: Choices) => Commented | undefined

const onList: Find = (model, { n, isNested }) => {
  const found = at(lists(model), n)
  return found && { ...found, address: addressOfList(found, isNested), comments: found.list.comments }
}
const onTask: Find = (model, { n, isNested }) => {
  const found = at(tasks(model), n)
  return found && { ...found, address: addressOfTask(found, isNested), comments: found.task.comments }
}
const onDiscussion: Find = (model, { n, isNested }) => {
  const found = at(discussions(model), n)
  return found && { ...found, address: addressOfDiscussion(found, isNested), comments: found.discussion.comments }
}

const adding =
  (find: Find): Act =>
  async (model, api, choices) => {
    const found = find(model, choices)
    if (!found) return
    const answer = await api.post(`${found.address}/comments`, { content: choices.text })
    settle(answer, frozen(found.project), 201, () =>
      found.comments.push({ id: answer.body.data.id, content: choices.text }),
    )
  }

const editing =
  (find: Find): Act =>
  async (model, api, choices) => {
    const found = find(model, choices)
    const comment = found && at(found.comments, choices.m)
    if (!comment) return
    const content = `${comment.content}, edited`
    settle(await api.patch(`${found.address}/comments/${comment.id}`, { content }), frozen(found.project), 200, () => {
      comment.content = content
    })
  }

export const ON_COMMENTS: Record<string, Act> = {
  createTaskListComment: adding(onList),
  updateTaskListComment: editing(onList),
  createTaskComment: adding(onTask),
  updateTaskComment: editing(onTask),
  createDiscussionComment: adding(onDiscussion),
  updateDiscussionComment: editing(onDiscussion),
}
