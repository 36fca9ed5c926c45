import { ofFields, type Said } from '../sentences/sentences.ts'

/** Where a person's calendar is, and the credentials for it. */
export interface CalendarAccess {
  company_id: number
  url: string
  username: string
  password: string
  /** Aborts the running request. Without it, each request has its own timeout. */
  signal?: AbortSignal
}

/** An event on the calendar server: its location, its version and its content. */
export interface CalendarObject {
  href: string
  etag: string
  content: string
}

/** A calendar that cannot be used as configured. The message begins with the field at fault and contains no secret. */
export class CalendarError extends Error {
  constructor(
    readonly field: 'url' | 'username' | 'password',
    readonly problem: Said,
  ) {
    super(ofFields([[field, problem]]).en)
  }
}

/** Whatever the cause, even the network, failures are thrown as a CalendarError. */
export interface CalendarServer {
  /** Returns the URL to use for the calendar, if it is one and can be written with these credentials. */
  check(access: CalendarAccess): Promise<string>
  /** The event as it is on the server, at its last known location or wherever it was moved. */
  read(access: CalendarAccess, uid: string, href: string | null): Promise<CalendarObject | undefined>
  /**
   * Our version of an event with what its person has set in the one that was read. `formerAddresses` has the address under
   * which the person with an address was known before.
   */
  merge(
    access: CalendarAccess,
    there: CalendarObject,
    ours: string,
    formerAddresses: ReadonlyMap<string, string>,
  ): Promise<string>
  /**
   * Replaces the version that was read, or creates the event, and returns its location. Other versions are kept: `changed`. An
   * event that the server does not take as it is, such as one that is too large for it, is `refused` with the status.
   */
  put(
    access: CalendarAccess,
    uid: string,
    there: CalendarObject | undefined,
    content: string,
  ): Promise<{ href: string } | { refused: number } | 'changed'>
  /** An event that no longer exists counts as removed. */
  remove(access: CalendarAccess, there: CalendarObject): Promise<'removed' | 'changed'>
}
