/** Where a person's calendar is, and how one gets in. */
export interface CalendarAccess {
  url: string
  username: string
  password: string
}

/** An event on the other side. Without a version nothing is known to be there. */
export interface CalendarItem {
  href: string | null
  etag: string | null
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
  find(access: CalendarAccess, uid: string): Promise<CalendarItem | undefined>
  /** Creates what has no version yet, and replaces the version that is known. Any other stays as it is: `changed`. */
  put(access: CalendarAccess, uid: string, item: CalendarItem, content: string): Promise<CalendarItem | 'changed'>
  /** What is not there any more counts as removed. */
  remove(access: CalendarAccess, item: CalendarItem & { href: string }): Promise<'removed' | 'changed'>
}
