import { createHash } from 'node:crypto'
import { SUMS } from './manifest.ts'
import { TAR_END, tarHeader, tarPadding } from './tar.ts'

export type Write = (bytes: Buffer) => Promise<void>

export interface Archive {
  add(name: string, sizeBytes: number, content: AsyncIterable<Buffer> | Iterable<Buffer>): Promise<void>
  /** Writes the checksums of all entries as the last entry: an archive without it was cut off. */
  finish(): Promise<void>
}

/** Writes an archive piece by piece. `sha256sum --check` can read its last entry. */
export function createArchive(write: Write, takenAt: Date): Archive {
  const writtenAt = Math.floor(takenAt.getTime() / 1000)
  const sums: string[] = []

  async function add(name: string, sizeBytes: number, content: AsyncIterable<Buffer> | Iterable<Buffer>) {
    await write(tarHeader({ name, sizeBytes, writtenAt }))
    const hash = createHash('sha256')
    let written = 0
    for await (const piece of content) {
      hash.update(piece)
      written += piece.length
      await write(piece)
    }
    if (written !== sizeBytes) throw new Error(`${name} has ${written} bytes and was to have ${sizeBytes}`)
    await write(tarPadding(sizeBytes))
    sums.push(sumLine(hash.digest('hex'), name))
  }

  return {
    add,
    async finish() {
      const text = Buffer.from(sums.join(''))
      await add(SUMS, text.length, [text])
      await write(TAR_END)
    },
  }
}

export function sumLine(digest: string, name: string): string {
  return `${digest}  ${name}\n`
}
