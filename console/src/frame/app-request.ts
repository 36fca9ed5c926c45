/** What an app asks for is kept in this tab until it is decided: whoever has to sign in first comes back to it. */
const NAME = 'app-request'

/** Takes it out of the URL, so that it is not asked for again when the page is opened from the history. */
export function noteApp(request: string): void {
  sessionStorage.setItem(NAME, request)
  history.replaceState(null, '', location.pathname + location.search)
}

export function askedByApp(): string | undefined {
  return sessionStorage.getItem(NAME) ?? undefined
}

export function forgetApp(): void {
  sessionStorage.removeItem(NAME)
}
