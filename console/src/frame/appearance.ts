import { useEffect, useState } from 'preact/hooks'

export const APPEARANCES = ['system', 'light', 'dark'] as const
export type Appearance = (typeof APPEARANCES)[number]

/** Light or dark, as the system prefers unless the reader has chosen. */
export function useAppearance(): [Appearance, (appearance: Appearance) => void] {
  const [appearance, setAppearance] = useState<Appearance>(() => {
    const stored = localStorage.getItem('appearance')
    return APPEARANCES.find(known => known === stored) ?? 'system'
  })
  useEffect(() => {
    localStorage.setItem('appearance', appearance)
    document.documentElement.dataset.appearance = appearance
  }, [appearance])
  return [appearance, setAppearance]
}
