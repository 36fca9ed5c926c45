import { useState } from 'preact/hooks'

const KEPT = 'folded-groups'

/** The groups of the menu that the reader has folded. The browser remembers them. */
export function useFolded(): [folded: Set<string>, toggle: (group: string) => void] {
  const [folded, setFolded] = useState(() => new Set(localStorage.getItem(KEPT)?.split(' ')))
  const toggle = (group: string) => {
    const next = new Set(folded)
    if (!next.delete(group)) next.add(group)
    localStorage.setItem(KEPT, [...next].join(' '))
    setFolded(next)
  }
  return [folded, toggle]
}
