import { type Answer as AnswerOf, CallFailed, failureOf, whileUnderway } from '../api/call.ts'
import { newIdempotencyKey } from '../api/idempotency-key.ts'
import { preferredLanguage } from '../words/language.ts'
import { useUploadWords } from './upload-words.ts'

/** The file as it was stored. */
type Answer = AnswerOf<'POST /companies/{company}/records/projects/{project}/files'>

interface UploadOptions {
  onProgress(sent: number, total: number): void
  signal: AbortSignal
  /** What is sent beside the name and the content, such as `folder_id`. */
  fields?: Record<string, string>
}

/** The server takes no larger file. */
const LARGEST_FILE_BYTES = 5_242_880

/** Long enough for a slow line, and for a PDF that has to wait for its turn. */
const DEADLINE_MS = 300_000

/**
 * Uploads a file to an address such as `/admin/v1/companies/1/records/projects/prj-4k7q2m9x0c/files`. Markdown that is called
 * `.pdf` is sent as text, of which the server makes the PDF. Fails with the server's reason, or as `fetch` does if it was aborted.
 */
export async function uploadFile(address: string, file: File, options: UploadOptions): Promise<Answer> {
  const { signal, fields = {} } = options
  if (file.size > LARGEST_FILE_BYTES) throw unsendable('tooLarge')
  const body = JSON.stringify({ name: file.name, ...asSent(fields), ...(await contentOf(file)) })
  signal.throwIfAborted()
  const response = await whileUnderway(send(address, body, keyFor(file, address, fields), options))
  if (response.ok) return (await response.json()) as Answer
  throw await failureOf(response, `POST ${address}`)
}

function asSent({ folder_id, ...fields }: Record<string, string>): object {
  return folder_id === undefined ? fields : { ...fields, folder_id: Number(folder_id) }
}

async function contentOf(file: File): Promise<{ content: string } | { content_base64: string }> {
  try {
    if (file.type === 'text/markdown' && /\.pdf$/i.test(file.name)) return { content: await file.text() }
    return { content_base64: await base64Of(file) }
  } catch {
    // What was dropped is a folder, or has been changed or deleted since.
    throw unsendable('unreadable')
  }
}

/** In the words that the server would refuse it with. */
function unsendable(reason: keyof typeof useUploadWords.en): CallFailed {
  return new CallFailed(422, reason, useUploadWords[preferredLanguage()][reason])
}

function base64Of(file: File): Promise<string> {
  const reader = new FileReader()
  return new Promise((resolve, reject) => {
    reader.onload = () => resolve((reader.result as string).replace(/^[^,]*,/, ''))
    reader.onerror = () => reject(reader.error)
    reader.readAsDataURL(file)
  })
}

const keys = new WeakMap<File, { of: string; key: string }>()

/** A file that is sent to the same place again, because nobody knows whether it arrived, is stored once. */
function keyFor(file: File, address: string, fields: object): string {
  const of = JSON.stringify([address, fields])
  const known = keys.get(file)
  if (known?.of === of) return known.key
  const key = newIdempotencyKey()
  keys.set(file, { of, key })
  return key
}

/** `fetch` does not tell how much it has sent. */
function send(address: string, body: string, key: string, { onProgress, signal }: UploadOptions): Promise<Response> {
  const request = new XMLHttpRequest()
  request.open('POST', address)
  request.timeout = DEADLINE_MS
  const headers = {
    'content-type': 'application/json',
    'x-diwan-console': '1',
    'accept-language': preferredLanguage(),
    'idempotency-key': key,
  }
  for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value)
  return new Promise((resolve, reject) => {
    const unreachable = () => reject(new CallFailed(0, 'unreachable', 'The server cannot be reached.'))
    const abort = () => request.abort()
    signal.addEventListener('abort', abort)
    request.upload.onprogress = ({ loaded, total }) => onProgress(loaded, total)
    request.onload = () => resolve(responseOf(request))
    request.onerror = unreachable
    request.ontimeout = unreachable
    request.onabort = () => reject(signal.reason)
    request.onloadend = () => signal.removeEventListener('abort', abort)
    request.send(body)
  })
}

function responseOf(request: XMLHttpRequest): Response {
  const { status, statusText, responseText } = request
  const headers = new Headers()
  for (const name of ['retry-after', 'x-request-id']) {
    const value = request.getResponseHeader(name)
    if (value !== null) headers.set(name, value)
  }
  return new Response(responseText, { status, statusText, headers })
}
