import type { Endpoints as ByName } from './types.ts'

/** The endpoints of the administration by method and path, so that calls need no separate list of them. */
export type Endpoints = {
  [N in keyof ByName as `${ByName[N]['method']} ${ByName[N]['path']}`]: ByName[N]
}

export interface Failure {
  error: { code: string; message: string }
}
