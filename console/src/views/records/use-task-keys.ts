import { useEffect, useRef } from 'preact/hooks'
import { isMeant } from '../../frame/single-keys.ts'
import { focusTask, type Selection, taskRows } from './selection.ts'

/** Each key with what the same key types on an Arabic keyboard. */
const KEYS = {
  next: ['j', 'ت'],
  previous: ['k', 'ن'],
  select: ['x', 'ء'],
  open: ['e', 'ث'],
  complete: ['c', 'ؤ'],
} as const

/** What single keys do with the task that has the focus. They press what the row shows, so nothing can be done that is not offered. */
export function useTaskKeys(selection: Selection, canSelect: boolean): void {
  const now = useRef({ selection, canSelect })
  now.current = { selection, canSelect }
  useEffect(() => {
    /** Where the focus was last: from there it goes on when that row has disappeared. */
    let place = 0
    const onFocus = ({ target }: FocusEvent) => {
      const row = target instanceof Element && target.closest<HTMLElement>('[data-task]')
      if (row) place = taskRows().indexOf(row)
    }
    const onKeyDown = (event: KeyboardEvent) => {
      if (!isMeant(event)) return
      const is = (keys: readonly string[]) => keys.includes(event.key.toLowerCase())
      const { selection, canSelect } = now.current
      const focused = document.activeElement
      const row = focused?.closest<HTMLElement>('[data-task]')
      const isOnLine = focused?.closest('.task-line, .task-cell') !== null
      if (is(KEYS.next) || (event.key === 'ArrowDown' && row && isOnLine)) step(row, 1, place)
      else if (is(KEYS.previous) || (event.key === 'ArrowUp' && row && isOnLine)) step(row, -1, place)
      else if (event.key === 'Escape' && selection.isOn && !document.querySelector('.task-panel')) selection.end()
      else if (!row) return
      else if (is(KEYS.select) && canSelect) selection.toggle(row.dataset.task as string, event.shiftKey)
      else if (is(KEYS.open)) press(row, '.task-title[aria-expanded="false"], .task-link')
      else if (is(KEYS.complete)) press(row, '.task-check:enabled')
      else return
      event.preventDefault()
    }
    addEventListener('keydown', onKeyDown)
    addEventListener('focusin', onFocus)
    return () => {
      removeEventListener('keydown', onKeyDown)
      removeEventListener('focusin', onFocus)
    }
  }, [])
}

/** From nowhere, the first step leads to where the focus was. At either end it stays. */
function step(row: HTMLElement | null | undefined, by: 1 | -1, place: number): void {
  const rows = taskRows()
  const at = row ? rows.indexOf(row) + by : Math.min(place, rows.length - 1)
  focusTask(rows[at]?.dataset.task)
}

function press(row: HTMLElement, what: string): void {
  row.querySelector<HTMLElement>(what)?.click()
}
