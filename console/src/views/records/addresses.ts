import { useCompany } from '../../frame/standing.ts'

type Id = string | number

/** Where each record of the work is shown. */
export interface WorkAddresses {
  tasks: (query?: Record<string, string>) => string
  projects: string
  /** By ref or slug, as all projects here. */
  project: (project: Id) => string
  discussions: (project: Id) => string
  files: (project: Id, folder?: Id | null) => string
  members: (project: Id) => string
  file: (project: Id, file: Id) => string
  discussion: (project: Id, discussion: Id) => string
  list: (project: Id, list: Id) => string
  task: (task: Id) => string
  changes: (query?: Record<string, string>) => string
}

export function useWorkAddresses(): WorkAddresses {
  return addressesIn(useCompany().id)
}

export function addressesIn(company: number): WorkAddresses {
  const root = `/companies/${company}`
  const project = (ref: Id) => `${root}/projects/${encodeURIComponent(ref)}`
  const asked = (query?: Record<string, string>) => (query ? `?${new URLSearchParams(query)}` : '')
  return {
    tasks: query => `${root}/tasks${asked(query)}`,
    projects: `${root}/projects`,
    project,
    discussions: ref => `${project(ref)}/discussions`,
    files: (ref, folder) => `${project(ref)}/files${folder ? `?folder=${folder}` : ''}`,
    members: ref => `${project(ref)}/members`,
    file: (ref, file) => `${project(ref)}/files/${encodeURIComponent(file)}`,
    discussion: (ref, discussion) => `${project(ref)}/discussions/${encodeURIComponent(discussion)}`,
    list: (ref, list) => `${project(ref)}/lists/${encodeURIComponent(list)}`,
    task: ref => `${root}/tasks/${encodeURIComponent(ref)}`,
    changes: query => `${root}/changes${asked(query)}`,
  }
}
