/** Where the pointer was last seen; undefined where there is none, or a finger. */
let pointer: { x: number; y: number } | undefined
addEventListener('pointermove', event => {
  pointer = event.pointerType === 'mouse' ? { x: event.clientX, y: event.clientY } : undefined
})

/** What a reader follows with the eye moves as one of these. */
const ROW = 'li, tr, article, section, form'

/**
 * Called before something on the page is replaced by its newer version: what the reader has under the pointer, writes in or
 * reads stays where it is in the window, whatever is added or removed above it. Browsers hold on to what is at the top of the
 * window, and some to nothing.
 */
export function keepStill(): void {
  const { documentElement: root } = document
  if (root.style.overflowAnchor) return
  const held = heldElements().map(element => ({ element, top: element.getBoundingClientRect().top }))
  root.style.overflowAnchor = 'none'
  requestAnimationFrame(() => {
    // The page is drawn anew by now, and not shown yet. A row that is gone leaves its place to the one after it.
    const there = held.find(({ element }) => element.isConnected)
    if (there) scrollBy(0, there.element.getBoundingClientRect().top - there.top)
    root.style.overflowAnchor = ''
  })
}

/** What is to stay in its place, in the order of preference. */
function heldElements(): Element[] {
  const { activeElement } = document
  const main = document.getElementById('content')
  if (!main) return []
  const candidates = [
    activeElement !== main && main.contains(activeElement) ? activeElement : null,
    pointer ? rowAt(pointer.x, pointer.y, main) : null,
    scrollY > 0 ? rowAt(main.getBoundingClientRect().left + main.clientWidth / 2, innerHeight / 3, main) : null,
  ].filter(element => element !== null)
  return candidates.filter(isInWindow).flatMap(element => [element, ...following(element)])
}

function rowAt(x: number, y: number, main: Element): Element | null {
  const row = document.elementFromPoint(x, y)?.closest(ROW) ?? null
  return row && row !== main && main.contains(row) ? row : null
}

function isInWindow(element: Element): boolean {
  const { top, bottom } = element.getBoundingClientRect()
  return bottom > 0 && top < innerHeight
}

/** The next rows, in case this one is taken away. */
function following(element: Element): Element[] {
  const rows: Element[] = []
  for (let next = element.nextElementSibling; next && rows.length < 5; next = next.nextElementSibling) rows.push(next)
  return rows
}
