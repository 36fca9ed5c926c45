/** Reads `1=http://cell-1.internal:3000,2=http://…`. Undefined when it is anything else. */
export function readCells(text: string, most: number): Map<number, string> | undefined {
  const cells = new Map<number, string>()
  for (const entry of text.split(',').filter(part => part.trim() !== '')) {
    const [, digits, address = ''] = entry.trim().match(/^([1-9]\d{0,3})=(https?:\/\/\S+)$/) ?? []
    const cell = Number(digits)
    if (!URL.canParse(address) || cell > most || cells.has(cell)) return undefined
    const { origin, pathname, search, hash, username, password } = new URL(address)
    if (pathname !== '/' || search || hash || username || password) return undefined
    cells.set(cell, origin)
  }
  return cells
}
