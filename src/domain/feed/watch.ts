import sql from 'sql-template-tag'
import { watchCommits } from '../../db/commits.ts'
import type { Db } from '../../db/db.ts'
import type { Database } from '../../db/postgres.ts'

/** Called after every look at the feed, with the companies that have new entries since the last one. */
type OnLook = (companies: readonly number[]) => void

/** Tells whoever sends changes on which companies have news. */
export interface FeedWatch {
  /**
   * Calls back from now on, until the function that it returns is called. What was in the feed before the first call is not
   * told of: whoever follows has to look for that then.
   */
  follow(onLook: OnLook): () => void
}

const LOOK_EVERY_MS = 400
const MOST_AT_ONCE = 5_000

/** How far all feeds have been looked at. */
interface Place {
  tx: string
  company_id: number
}

interface Seen extends Place {
  companies: number[]
  count: number
}

/**
 * The one reader of all feeds in a process. One statement finds the companies that have news, and costs nothing for those that
 * have none: it reads the end of one index. Without anybody who follows, there is no statement at all.
 *
 * The place is only a hint, kept in memory. It is that of an entry, because after a crash the database may use the numbers of
 * other transactions again.
 */
export function createFeedWatch(
  { db, commits }: Pick<Database, 'db' | 'commits'>,
  onError: (error: unknown) => void,
): FeedWatch {
  const mayHaveNews = watchCommits(commits)
  const followers = new Set<OnLook>()
  let place: Place | undefined
  let timer: NodeJS.Timeout | undefined
  let isLooking = false

  async function look(): Promise<void> {
    if (isLooking) return
    isLooking = true
    const companies = await readOn().catch(error => {
      onError(error)
      return []
    })
    isLooking = false
    for (const onLook of followers) onLook(companies)
  }

  async function readOn(): Promise<number[]> {
    if (!place) {
      place = await endOfAllFeeds(db)
      return []
    }
    if (!mayHaveNews()) return []
    const seen = await readBehind(db, place)
    if (!seen) return []
    if (timer) place = seen
    if (seen.count === MOST_AT_ONCE) setImmediate(look)
    return seen.companies
  }

  return {
    follow(onLook) {
      followers.add(onLook)
      timer ??= setInterval(look, LOOK_EVERY_MS).unref()
      return () => {
        followers.delete(onLook)
        if (followers.size > 0) return
        clearInterval(timer)
        timer = undefined
        place = undefined
      }
    },
  }
}

async function endOfAllFeeds(db: Db): Promise<Place> {
  const last = await db.maybe<Place>(sql`
    select tx::text, company_id from changes where tx < pg_snapshot_xmin(pg_current_snapshot())
    order by changes.tx desc, company_id desc limit 1`)
  return last ?? { tx: '0', company_id: 0 }
}

function readBehind(db: Db, { tx, company_id }: Place): Promise<Seen | undefined> {
  return db.maybe<Seen>(sql`
    with news as materialized (
      select tx, company_id from changes
      where (tx, company_id) > (${tx}::xid8, ${company_id}::bigint) and tx < pg_snapshot_xmin(pg_current_snapshot())
      order by tx, company_id limit ${MOST_AT_ONCE})
    select tx::text, company_id, (select json_agg(distinct company_id) from news) as companies,
      (select count(*) from news) as count
    from news order by news.tx desc, company_id desc limit 1`)
}
