/**
 * The engine decodes text with decoders that it makes itself and that drop a leading U+FEFF, so a value would not come back as it was
 * stored. It offers no way to give it another decoder: the global one is replaced, in the thread of the engine, which runs nothing
 * else.
 */
export function decodeExactly(): void {
  globalThis.TextDecoder = ExactTextDecoder
}

class ExactTextDecoder extends TextDecoder {
  constructor(label?: string, options: ConstructorParameters<typeof TextDecoder>[1] = {}) {
    super(label, { ignoreBOM: true, ...options })
  }
}
