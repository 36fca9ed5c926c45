import { Figure } from './text.tsx'

const UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const

/** The size of a file, in the words of the reader. */
export function Size({ bytes }: { bytes: number | null }) {
  if (bytes === null) return <>—</>
  const step = Math.min(Math.floor(Math.log10(Math.max(bytes, 1)) / 3), UNITS.length - 1)
  return (
    <Figure style="unit" unit={UNITS[step]} unitDisplay={step === 0 ? 'long' : 'short'} maximumFractionDigits={1}>
      {bytes / 1000 ** step}
    </Figure>
  )
}
