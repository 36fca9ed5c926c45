import { useEffect, useRef, useState } from 'preact/hooks'
import { CallFailed, call } from '../../api/call.ts'
import { filesAddress } from '../../api/file-addresses.ts'
import type { StoredFile } from '../../api/types.ts'
import { useCompany } from '../../frame/standing.ts'
import { uploadFile } from '../../parts/upload.ts'

/** A file that belongs to a comment which is being written. */
export interface DraftFile {
  key: number
  name: string
  /** How much of it has been sent, from 0 to 1. */
  progress: number
  stored: StoredFile | undefined
  failure: CallFailed | undefined
  stop: () => void
}

export interface DraftFiles {
  files: DraftFile[]
  areTooMany: boolean
  isUploading: boolean
  add: (files: Iterable<File>) => void
  /** Takes a file away again, also from the project. */
  remove: (file: DraftFile) => void
  /** Sends the comment: from then on they belong to it, unless it is refused. */
  handOver: <T>(send: (refs: string[]) => Promise<T>) => Promise<T>
}

const MOST = 10
let lastKey = 0

/** The files of a comment, uploaded to its project while it is written. Those of a comment that is never sent are removed again. */
export function useAttachments(project: string): DraftFiles {
  const { id: company } = useCompany()
  const [files, setFiles] = useState<DraftFile[]>([])
  const [areTooMany, setTooMany] = useState(false)
  const now = useRef(files)
  now.current = files

  const put = (key: number, change: Partial<DraftFile>) =>
    setFiles(before => before.map(file => (file.key === key ? { ...file, ...change } : file)))
  const discard = ({ stored, stop }: DraftFile) => {
    stop()
    if (!stored) return
    const path = 'DELETE /companies/{company}/records/files/{file}'
    call(path, { params: { company, file: stored.ref } }).catch(() => undefined)
  }
  const isSending = useRef(false)
  useEffect(
    () => () => {
      if (!isSending.current) now.current.forEach(discard)
    },
    [],
  )

  const upload = async (file: File, key: number, signal: AbortSignal) => {
    try {
      const onProgress = (sent: number, total: number) => put(key, { progress: sent / total })
      const { data } = await uploadFile(filesAddress(company, project), file, { onProgress, signal })
      put(key, { stored: data, progress: 1 })
    } catch (error) {
      if (signal.aborted) return
      put(key, { failure: error instanceof CallFailed ? error : new CallFailed(0, 'unexpected', String(error)) })
    }
  }
  const add = (chosen: Iterable<File>) => {
    const all = [...chosen]
    const room = MOST - now.current.length
    setTooMany(all.length > room)
    for (const file of all.slice(0, Math.max(room, 0))) {
      const key = ++lastKey
      const leaving = new AbortController()
      const stop = () => leaving.abort()
      const made = { key, name: file.name, progress: 0, stored: undefined, failure: undefined, stop }
      setFiles(before => [...before, made])
      upload(file, key, leaving.signal)
    }
  }
  const remove = (file: DraftFile) => {
    setTooMany(false)
    setFiles(before => before.filter(({ key }) => key !== file.key))
    discard(file)
  }
  const handOver: DraftFiles['handOver'] = async send => {
    isSending.current = true
    try {
      const sent = await send(refs)
      now.current = []
      setTooMany(false)
      setFiles([])
      return sent
    } finally {
      isSending.current = false
    }
  }
  const refs = files.flatMap(({ stored }) => (stored ? [stored.ref] : []))
  const isUploading = files.some(({ stored, failure }) => !stored && !failure)
  return { files, areTooMany, isUploading, add, remove, handOver }
}
