import { DiwanError, invalid } from './error.ts'
import type { Options, PostOptions } from './methods.ts'
import type { Resources } from './resources.ts'
import type { StoredFile } from './types.ts'
import { growing, pause } from './waiting.ts'

/** A file to upload. What a browser calls a `File` has a name of its own. */
export interface Upload {
  /** With its extension. */
  name?: string | undefined
  /** Null or omitted for the root. */
  folder_id?: number | null
  content: Blob | ArrayBuffer | Uint8Array
}

export interface ScanOptions extends Options {
  /** How long it waits for the scan, before it throws `time_out`. Default: 2 minutes. */
  giveUpAfterMs?: number | undefined
}

/** What is done with files in more than one call, or with bytes. */
export interface Files {
  /** Uploads bytes. For text, and for Markdown that becomes a PDF, there is `projects.uploadFile`. */
  upload(project: string | number, file: Upload, options?: PostOptions): Promise<StoredFile>
  /** The file once it has been scanned: see its `scan_state` and `downloadable`. */
  waitUntilScanned(project: string | number, file: string | number, options?: ScanOptions): Promise<StoredFile>
}

const FIRST_PAUSE_MS = 250
const LONGEST_PAUSE_MS = 5_000

export function filesOf({ projects }: Resources): Files {
  return {
    async upload(project, { content, name = nameOf(content), folder_id = null }, options) {
      if (name === undefined) throw invalid('name must be given, because the content has none')
      const content_base64 = toBase64(await bytesOf(content))
      return projects.uploadFile(project, { name, folder_id, content_base64 }, options)
    },
    async waitUntilScanned(project, file, { giveUpAfterMs = 120_000, ...options } = {}) {
      const startedMs = Date.now()
      for (let looks = 0; ; looks++) {
        const seen = await projects.getFile(project, file, options)
        if (seen.scan_state !== 'pending') return seen
        const waitMs = growing(FIRST_PAUSE_MS, looks, LONGEST_PAUSE_MS)
        if (Date.now() + waitMs - startedMs > giveUpAfterMs)
          throw new DiwanError({ code: 'time_out', message: `The file was not scanned within ${giveUpAfterMs} ms.` })
        await pause(waitMs, options.signal)
      }
    },
  }
}

const nameOf = (content: Upload['content']) =>
  'name' in content && typeof content.name === 'string' ? content.name : undefined

async function bytesOf(content: Upload['content']): Promise<Uint8Array> {
  if (content instanceof Uint8Array) return content
  return new Uint8Array(content instanceof Blob ? await content.arrayBuffer() : content)
}

/** A function takes only so many arguments. */
const MOST_AT_ONCE = 0x8000

function toBase64(bytes: Uint8Array): string {
  let text = ''
  for (let from = 0; from < bytes.length; from += MOST_AT_ONCE)
    text += String.fromCharCode(...bytes.subarray(from, from + MOST_AT_ONCE))
  return btoa(text)
}
