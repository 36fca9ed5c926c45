import { call } from '../../api/call.ts'
import type { Task } from '../../api/types.ts'
import { useLoading } from '../../api/use-answer.ts'
import { useCompany, useStanding } from '../../frame/standing.ts'
import type { WorkingTasks } from './use-working-tasks.ts'

/** Of more tasks than this the server is not asked, one by one, whether a member may delete them. */
const MOST = 20

/** Whether the reader may delete all of these tasks: leaders may, members only what they made. */
export function useMayDeleteAll(tasks: Task[], working: WorkingTasks): boolean {
  const { id: company } = useCompany()
  const { me, may } = useStanding()
  const isLeader = me.user?.role !== 'member'
  const asked = isLeader ? [] : tasks.filter(task => !working.wasAdded(task)).map(({ id }) => id)
  const { data: areOwn = false } = useLoading(
    async signal => {
      if (asked.length > MOST) return false
      for (const of of asked) {
        const { data } = await call('GET /companies/{company}/records/me/rights', {
          params: { company },
          query: { of },
          signal,
        })
        if (!data.delete) return false
      }
      return true
    },
    [company, asked],
  )
  return may('deleteTask') && tasks.length > 0 && (isLeader || areOwn)
}
