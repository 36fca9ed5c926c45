import { expect } from 'vitest'
import type { Answer, Client } from '../../support/diwan.ts'

// The rules in plain code: what each record should look like after each command.

export interface Comment {
  id: number
  content: string
}
/** A record that another system may know by an id of its own. */
interface Known {
  id: string
  external_id: string | null
}
export interface Task extends Known {
  title: string
  completed_at: string | null
  time_spent_minutes: number | null
  assignee: string | null
  comments: Comment[]
}
export interface List extends Known {
  title: string
  tasks: Task[]
  comments: Comment[]
}
export interface Discussion extends Known {
  title: string
  comments: Comment[]
}
export interface Folder {
  id: number
  name: string
  parent_folder_id: number | null
}
interface File {
  id: number
  ref: string
  name: string
  folder_id: number | null
}
export interface Project extends Known {
  name: string
  is_public: boolean
  archived: boolean
  lists: List[]
  discussions: Discussion[]
  folders: Folder[]
  files: File[]
}
interface Event {
  id: number
  name: string
  attendees: string[]
}
export interface Model {
  projects: Project[]
  events: Event[]
  /** The person that the key signs as, and another one, who is a member of no private project. */
  people: { signer: string; other: string }
}

/** What a command chooses from. The same choice means another record in another state. */
export interface Choices {
  n: number
  m: number
  text: string
  external_id: string
  /** Whether a record is addressed below its parents, and other choices between two. */
  isNested: boolean
  isOther: boolean
}

/** Carries out a command on the API and on the model. */
export type Act = (model: Model, api: Client, choices: Choices) => Promise<void>

export const at = <T>(from: T[], n: number): T | undefined => from[n % Math.max(from.length, 1)]
export const lists = ({ projects }: Model) =>
  projects.flatMap(project => project.lists.map(list => ({ project, list })))
export const tasks = (model: Model) =>
  lists(model).flatMap(({ project, list }) => list.tasks.map(task => ({ project, list, task })))
export const discussions = ({ projects }: Model) =>
  projects.flatMap(project => project.discussions.map(discussion => ({ project, discussion })))

/** Removes a thing from where it is. */
export function remove<T>(from: T[], thing: T): void {
  from.splice(from.indexOf(thing), 1)
}

/** Everyone who can be assigned tasks in a project. */
export function members({ people }: Model, { is_public }: Project): string[] {
  return is_public ? [people.signer, people.other] : [people.signer]
}

/** What stands in the way of a write: nothing, or the status that refuses it. */
export type Refusal = 403 | 409 | 422 | undefined

/** The first that stands in the way. */
export const frozen = (...projects: { archived: boolean }[]): Refusal =>
  projects.some(({ archived }) => archived) ? 403 : undefined

/** The id of another system names one record of a kind. */
export const taken = (alike: Known[], external_id: string | null): Refusal =>
  external_id !== null && alike.some(record => record.external_id === external_id) ? 409 : undefined

/** A write is refused as the rules say, and changes nothing then; otherwise it has this status, and the model follows. */
export function settle(answer: Answer, refusal: Refusal, status: number, change: () => void): void {
  expect([answer.status, answer.body.error]).toEqual(refusal ? [refusal, expect.anything()] : [status, undefined])
  if (!refusal) change()
}
