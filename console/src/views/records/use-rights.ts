import { useEffect, useRef, useState } from 'preact/hooks'
import { call } from '../../api/call.ts'
import { useLoading } from '../../api/use-answer.ts'
import { useCompany, useStanding } from '../../frame/standing.ts'

/** Whether the server would let the reader delete a task, a list, a discussion or a file; no while that is unknown. */
export function useMayDelete(ref: string): boolean {
  const { id: company } = useCompany()
  const { may } = useStanding()
  const { data: isAllowed = false } = useLoading(
    async signal => {
      // The operator only reads, and may not even ask.
      if (!may('getMyRights')) return false
      const { data } = await call('GET /companies/{company}/records/me/rights', {
        params: { company },
        query: { of: ref },
        signal,
      })
      return data.delete
    },
    [company, ref],
  )
  return isAllowed
}

/** The most comments that can be asked about at once. */
const AT_ONCE = 100

/** Which of these comments on a record the reader may edit. Asked once of each, and only of those that bear their name. */
export function useEditable(
  ref: string,
  comments: { id: number; author: string | null }[],
): (comment: { id: number }) => boolean {
  const { id: company } = useCompany()
  const { me } = useStanding()
  const known = useRef(new Map<number, boolean>()).current
  const [, setRound] = useState(0)
  const asked = comments
    .filter(({ id, author }) => me.user && author === me.user.name && !known.has(id))
    .map(({ id }) => String(id))
    .slice(-AT_ONCE)
  useEffect(() => {
    if (asked.length === 0) return
    const leaving = new AbortController()
    call('GET /companies/{company}/records/me/rights', {
      params: { company },
      query: { of: ref, comment: asked },
      signal: leaving.signal,
    }).then(
      ({ data }) => {
        for (const id of asked.map(Number)) known.set(id, data.comments?.includes(id) ?? false)
        setRound(n => n + 1)
      },
      () => undefined,
    )
    return () => leaving.abort()
  }, [company, ref, asked.join()])
  return ({ id }) => known.get(id) ?? false
}
