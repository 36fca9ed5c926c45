import { useState } from 'preact/hooks'
import type { StoredFile } from '../../api/types.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { useCompany } from '../../frame/standing.ts'

const LOOK_EVERY_MS = 2_000

/** A file, looked at again until the virus scan has said something about it. */
export function useScannedFile(project: string, ref: string): StoredFile | undefined {
  const { id: company } = useCompany()
  const [isPending, setPending] = useState(false)
  const { data } = useAnswer(
    'GET /companies/{company}/records/projects/{project}/files/{file}',
    { params: { company, project, file: ref } },
    isPending ? LOOK_EVERY_MS : undefined,
  )
  const file = data?.data
  if (file && isPending !== (file.scan_state === 'pending')) setPending(!isPending)
  return file
}
