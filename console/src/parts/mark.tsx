/** An arch, as of a hall, with the lines of a register in it. It is also the icon of the window: see `src/http/pages/mark.ts`. */
const MARK = 'M9 24v-9a7 7 0 0 1 14 0v9M13 17h6M13 22h6'

export function Mark() {
  return (
    <svg class="mark" viewBox="0 0 32 32" aria-hidden="true">
      <rect width="32" height="32" rx="7" />
      <path d={MARK} />
    </svg>
  )
}
