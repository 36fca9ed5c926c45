import { useEffect, useRef, useState } from 'preact/hooks'
import { CallFailed } from '../../api/call.ts'
import { newIdempotencyKey } from '../../api/idempotency-key.ts'
import type { StoredFile } from '../../api/types.ts'
import { uploadFile } from '../../parts/upload.ts'

/** A file on its way to the server. */
export interface Upload {
  key: string
  file: File
  /** The id of the folder that it is for; empty at the top. */
  folder: string
  state: 'waiting' | 'sending' | 'failed'
  /** From 0 to 1. */
  sent: number
  failure?: CallFailed
}

export interface Uploads {
  all: Upload[]
  add: (files: Iterable<File>, folder: string) => void
  /** Ends it if it is being sent, and forgets it. */
  drop: (upload: Upload) => void
  retry: (upload: Upload) => void
}

/** Uploads files one after another. What could not be stored stays, with the reason, until it is tried again or dismissed. */
export function useUploads(address: string, onStored: (file: StoredFile) => void): Uploads {
  const [all, setAll] = useState<Upload[]>([])
  /** The same for what goes on between two renders. */
  const latest = useRef(all)
  const sending = useRef<{ key: string; abort: AbortController }>(undefined)
  const put = (uploads: Upload[]) => {
    latest.current = uploads
    setAll(uploads)
  }
  const change = (key: string, changes: Partial<Upload>) =>
    put(latest.current.map(upload => (upload.key === key ? { ...upload, ...changes } : upload)))
  const forget = (key: string) => put(latest.current.filter(upload => upload.key !== key))
  useEffect(
    () => () => {
      latest.current = []
      sending.current?.abort.abort()
    },
    [],
  )

  const send = async ({ key, file, folder }: Upload) => {
    const abort = new AbortController()
    sending.current = { key, abort }
    change(key, { state: 'sending', sent: 0 })
    try {
      const { data } = await uploadFile(address, file, {
        onProgress: (sent, total) => change(key, { sent: sent / total }),
        signal: abort.signal,
        ...(folder && { fields: { folder_id: folder } }),
      })
      forget(key)
      onStored(data)
    } catch (error) {
      if (abort.signal.aborted) return
      const failure = error instanceof CallFailed ? error : new CallFailed(0, 'unexpected', String(error))
      change(key, { state: 'failed', failure })
    } finally {
      sending.current = undefined
    }
  }
  const sendAll = async () => {
    if (sending.current) return
    for (let next = nextOf(latest.current); next; next = nextOf(latest.current)) await send(next)
  }
  const queue = (uploads: Upload[]) => {
    put([...latest.current, ...uploads])
    sendAll()
  }
  const drop = ({ key }: Upload) => {
    forget(key)
    if (sending.current?.key === key) sending.current.abort.abort()
  }
  return {
    all,
    add: (files, folder) =>
      queue([...files].map(file => ({ key: newIdempotencyKey(), file, folder, state: 'waiting', sent: 0 }))),
    drop,
    retry: upload => {
      forget(upload.key)
      queue([{ key: upload.key, file: upload.file, folder: upload.folder, state: 'waiting', sent: 0 }])
    },
  }
}

const nextOf = (uploads: Upload[]) => uploads.find(({ state }) => state === 'waiting')
