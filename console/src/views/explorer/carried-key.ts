/** A new key on its way from the page that shows it to the explorer. It is in memory only, and given out once. */
export interface CarriedKey {
  key: string
  /** Whether the reader has it elsewhere already. */
  isCopied: boolean
}

let carried: CarriedKey | undefined

export function carryKey(key: CarriedKey): void {
  carried = key
}

export function takeCarriedKey(): CarriedKey | undefined {
  const taken = carried
  carried = undefined
  return taken
}
