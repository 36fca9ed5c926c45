import { type FileHandle, open } from 'node:fs/promises'

/** A file with a JSON object on each line. */
export interface Lines {
  /** Gives how many there are with it. */
  add(record: object): Promise<number>
  /** How many there are, when all of them are on the disk. */
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
