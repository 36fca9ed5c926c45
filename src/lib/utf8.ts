/** Tells of pieces that follow each other whether they are UTF-8 as a whole. */
export function createUtf8Check() {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let isUtf8 = true
  function decode(piece?: Uint8Array): void {
    try {
      if (isUtf8) decoder.decode(piece, { stream: piece !== undefined })
    } catch {
      isUtf8 = false
    }
  }
  return {
    take: (piece: Uint8Array) => decode(piece),
    end() {
      decode()
      return isUtf8
    },
  }
}
