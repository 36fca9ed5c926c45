import { type FileHandle, open } from 'node:fs/promises'

/** A file with a JSON object on each line. */
export interface Lines {
  /** Returns how many there are now. */
  add(record: object): Promise<number>
  /** Returns how many there are, once all of them are on disk. */
  close(): Promise<number>
}

const PIECE_CHARACTERS = 64 * 1024

export async function openLines(path: string): Promise<Lines> {
  const file: FileHandle = await open(path, 'wx')
  let text = ''
  let count = 0
  const write = async () => {
    await file.appendFile(text)
    text = ''
  }
  return {
    async add(record) {
      text += `${JSON.stringify(record)}\n`
      count++
      if (text.length > PIECE_CHARACTERS) await write()
      return count
    },
    async close() {
      await write()
      await file.sync()
      await file.close()
      return count
    },
  }
}
