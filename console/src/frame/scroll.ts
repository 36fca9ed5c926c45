/**
 * Where each page was scrolled to, for the way back and for a reload. The browser would restore it before the page has loaded what
 * makes it that high; here it is restored as soon as it is.
 */
const KEPT = 'scrolled'
const GIVES_UP_AFTER_MS = 30_000
const SETTLES_MS = 100

type Positions = Record<string, number>

function positions(): Positions {
  return JSON.parse(sessionStorage.getItem(KEPT) ?? '{}') as Positions
}

/** Pages are told apart by a key in their entry of the history: the same address may be there several times. */
const keyOfPage = () => String((history.state as { page?: number } | null)?.page ?? 'first')

/** The state of a new entry of the history. */
export function newPage(): { page: number } {
  return { page: Date.now() }
}

const MOST_PAGES = 50

export function keep(): void {
  const { [keyOfPage()]: _, ...others } = positions()
  const all = Object.entries({ ...others, [keyOfPage()]: Math.round(scrollY) })
  sessionStorage.setItem(KEPT, JSON.stringify(Object.fromEntries(all.slice(-MOST_PAGES))))
}

export function keepScroll(): void {
  history.scrollRestoration = 'manual'
  let timer: ReturnType<typeof setTimeout> | undefined
  addEventListener('scroll', () => {
    clearTimeout(timer)
    timer = setTimeout(keep, SETTLES_MS)
  })
  addEventListener('pagehide', keep)
  restoreScroll()
}

/** Scrolls to where the page was, when it is high enough, unless the reader scrolls meanwhile. */
export function restoreScroll(): void {
  const wanted = positions()[keyOfPage()] ?? 0
  scrollTo(0, wanted)
  if (wanted === 0) return
  const stopping = new AbortController()
  const stop = () => stopping.abort()
  const growing = new ResizeObserver(() => {
    scrollTo(0, wanted)
    if (Math.abs(scrollY - wanted) <= 1) stop()
  })
  stopping.signal.addEventListener('abort', () => growing.disconnect())
  for (const act of ['wheel', 'touchstart', 'keydown', 'pointerdown'])
    addEventListener(act, stop, { once: true, signal: stopping.signal })
  setTimeout(stop, GIVES_UP_AFTER_MS)
  growing.observe(document.body)
}
