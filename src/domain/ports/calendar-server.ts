/** Where a person's calendar is, and how one gets in. */
export interface CalendarAccess {
  url: string
  username: string
  password: string
  /** Ends whatever is being asked. Without it, each question has its own time. */
  signal?: AbortSignal
}

/** An event on the other side: where it is, which version of it, and what it says. */
export interface CalendarObject {
  href: string
  etag: string
  content: string
}

/** A calendar that cannot be used as things are. The message begins with the field at fault and holds no secret. */
export class CalendarError extends Error {
  constructor(
    readonly field: 'url' | 'username' | 'password',
    readonly problem: string,
  ) {
    super(`${field} ${problem}`)
  }
}

/** Whatever keeps a calendar from doing what it is asked, be it the network, throws a CalendarError. */
export interface CalendarServer {
  /** Gives the address under which the calendar is to be used, if it is one and may be written with these credentials. */
  check(access: CalendarAccess): Promise<string>
  /** The event as it is there, where it was last seen or wherever it has gone. */
  read(access: CalendarAccess, uid: string, href: string | null): Promise<CalendarObject | undefined>
  /** Replaces the version that was read, or creates what was not there, and says where. Any other stays: `changed`. */
  put(
    access: CalendarAccess,
    uid: string,
    there: CalendarObject | undefined,
    content: string,
  ): Promise<{ href: string } | 'changed'>
  /** What is not there any more counts as removed. */
  remove(access: CalendarAccess, there: CalendarObject): Promise<'removed' | 'changed'>
}
