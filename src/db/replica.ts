import { setTimeout as sleep } from 'node:timers/promises'
import type { ClientBase, PoolClient, QueryConfig, QueryResult } from 'pg'
import type { Sql } from 'sql-template-tag'
import { FairQueue, NoRoom } from '../lib/fair-queue.ts'
import { queueOfReplica } from '../queues.ts'
import { type Db, statements } from './db.ts'
import { isOfStatement } from './failures.ts'
import { awaitsAnswer, socketOf } from './pg-internals.ts'
import { openPool } from './pool.ts'
import {
  flush,
  isWithinRecord,
  LAG,
  lineageOf,
  lookAtPrimary,
  OF_ANOTHER_LINEAGE,
  type Position,
  PROMOTED,
  readPosition,
  type Standing,
  standing,
} from './positions.ts'
import { createSharedConnections, STATEMENTS_PER_CONNECTION } from './shared-connections.ts'

/** A server that follows the primary, and answers reads in its place as far as nobody can tell the difference. See decision 36. */
export interface Replica {
  /**
   * The database for the reads of one call. They are answered by the replica while it has replayed everything up to the position
   * that the primary had when the call began, and otherwise by `db`.
   */
  reading(db: Db, companyId: number, position: string): Db
  /** Waits for the replica to catch up with what the primary has written by now. Throws when it cannot be used at all. */
  look(withinMs: number): Promise<Look>
  /** How many reads each has answered. */
  reads(): { replica: number; primary: number }
  close(): Promise<void>
}

interface Look {
  isCaughtUp: boolean
  /** How old the last write is that it has replayed. */
  lagSeconds: number | null
}

interface Asked {
  standing: Standing
  answer?: QueryResult | undefined
}

interface ReplicaOptions {
  url: string
  primary: Db
  connections: number
  onStateChange: (problem: string | undefined) => void
}

/** Reads take milliseconds. One that takes longer here, say because little is in memory, is left to the primary. */
const READ_MS = 1_000
/** A replica that is up answers at once: whoever asked one that is not waits for this long, and then nobody asks it. */
const ANSWER_MS = 250
const LOOK_AGAIN_MS = 500
/** A replica is usually behind by less than this: whoever comes right behind a write waits once. */
const CATCH_UP_MS = 4
/** A flush of the primary takes less, unless it waits for a synchronous standby that is away: no read waits for that. */
const FLUSH_MS = 20
/** One that is still behind is left alone for a while, and longer each time. */
const PAUSE_MS = { first: 25, longest: 1_000 }
const TOLD_BEHIND_AFTER_MS = 5_000

/** The replica did not answer a read, for a reason that has been dealt with. */
class NotAnswered extends Error {}

export function openReplica({ url, primary, connections, onStateChange }: ReplicaOptions): Replica {
  const lineages = new WeakMap<ClientBase, string>()
  const { pool, end } = openPool(
    { url, statementMs: READ_MS },
    {
      max: connections,
      connectMs: ANSWER_MS,
      onError: error => leave(error.message),
      onConnect: async client => void lineages.set(client, await lineageOf(client, ANSWER_MS)),
    },
  )
  const shared = createSharedConnections(pool, connections)
  const queue = new FairQueue<number>('replica', queueOfReplica(connections, STATEMENTS_PER_CONNECTION))
  const reads = { replica: 0, primary: 0 }
  /** The primary that the replica was found to follow; undefined while it is not used. */
  let followed: (Pick<Position, 'runningSince'> & { lineage: string }) | undefined
  let told: string | undefined | null = null
  let behind = { since: 0, pauseMs: 0, until: 0 }
  let looking: NodeJS.Timeout | undefined
  let ending: Promise<unknown> | undefined
  let isClosed = false

  function tell(problem: string | undefined): void {
    if (told !== null && (told === undefined) === (problem === undefined)) return
    told = problem
    onStateChange(problem)
  }

  /** Nobody reads from it until it was looked at again. */
  function leave(problem: string, afterMs = LOOK_AGAIN_MS): void {
    if (isClosed) return
    followed = undefined
    tell(problem)
    looking ??= setTimeout(lookAgain, afterMs).unref()
  }

  async function lookAgain(): Promise<void> {
    try {
      await examine()
      looking = undefined
    } catch (error) {
      looking = undefined
      leave((error as Error).message)
    }
  }

  /** Finds out whether the replica follows the primary, so that it may be used, and where it stands. */
  async function examine(): Promise<{ position: Position; standing: Standing }> {
    const { lineage, is_hasty, ...position } = await lookAtPrimary(primary)
    if (is_hasty) throw new Error('synchronous_commit is off at the primary')
    const found = await ask(lineage, position)
    if (!isClosed) followed = { lineage, runningSince: position.runningSince }
    if (found.standing === 'caught up') caughtUp()
    return { position, ...found }
  }

  function caughtUp(): void {
    if (behind.since > 0) behind = { since: 0, pauseMs: 0, until: 0 }
    tell(undefined)
  }

  function fallBehind(): void {
    const now = performance.now()
    // Of those that were asked at the same time, the first counts.
    if (now < behind.until) return
    const since = behind.since || now
    const pauseMs = Math.min(behind.pauseMs * 2 || PAUSE_MS.first, PAUSE_MS.longest)
    behind = { since, pauseMs, until: now + pauseMs }
    if (now - since > TOLD_BEHIND_AFTER_MS) tell('It is behind')
  }

  /** Asks where the replica stands, and sends the statement right behind. Its answer counts if the replica has caught up. */
  function ask(lineage: string, position: Position, statement?: QueryConfig | string): Promise<Asked> {
    return new Promise((resolve, reject) => {
      const asked = shared.on(async client => {
        requireLineage(client, lineage)
        const late = whenLate(client, reject)
        const question = client.query<{ standing: Standing }>(standing(position)).finally(() => clearTimeout(late))
        const answer = statement ? client.query(statement) : Promise.resolve(undefined)
        answer.catch(() => {})
        const found = (await question).rows[0]?.standing as Standing
        if (found === 'promoted') throw new Error(PROMOTED)
        if (found === 'caught up') return { standing: found, answer: await answer }
        await answer.catch(() => {})
        return { standing: found }
      })
      if (asked) asked.then(resolve, reject)
      else reject(new NoRoom('replica', 'No connection answers'))
    })
  }

  /** A server may have moved to another timeline since the connection was opened: the next one will tell. */
  function requireLineage(client: PoolClient, lineage: string): void {
    if (lineages.get(client) === lineage) return
    socketOf(client).destroy()
    throw new Error(OF_ANOTHER_LINEAGE)
  }

  /**
   * Gives up the question that is asked next, if it is late. That says something about the replica only where nothing is in front
   * of the question: a read may take longer. Behind others, whoever asked no longer waits, and the connection goes on.
   */
  function whenLate(client: PoolClient, giveUp: (reason: Error) => void): NodeJS.Timeout {
    const isFirst = !awaitsAnswer(client)
    return setTimeout(() => {
      if (!isFirst) return giveUp(new NoRoom('replica', 'Others were in front'))
      giveUp(new Error(`No answer within ${ANSWER_MS} ms`))
      socketOf(client).destroy()
    }, ANSWER_MS)
  }

  /** Those who need it at the same time share one. */
  function endRecord(): Promise<unknown> {
    ending ??= flush(primary)
      .catch(() => {})
      .finally(() => {
        ending = undefined
      })
    return ending
  }

  async function read(position: Position, statement: QueryConfig | string): Promise<QueryResult> {
    const attempt = async () => {
      if (followed?.runningSince !== position.runningSince) throw new NotAnswered()
      return (await ask(followed.lineage, position, statement)).answer
    }
    try {
      let answer = await attempt()
      if (!answer && behind.pauseMs === 0) {
        if (isWithinRecord(position)) await Promise.race([endRecord(), sleep(FLUSH_MS)])
        await sleep(CATCH_UP_MS)
        answer = await attempt()
      }
      if (answer) {
        caughtUp()
        return answer
      }
      fallBehind()
    } catch (error) {
      // A statement that failed by itself, or was cancelled because it stood in the way of replay, says nothing about the rest.
      const isOwn = error instanceof NotAnswered || error instanceof NoRoom || isOfStatement(error)
      if (!isOwn) leave((error as Error).message)
    }
    throw new NotAnswered()
  }

  function reading(db: Db, companyId: number, at: string): Db {
    const position = readPosition(at)
    const query = (statement: QueryConfig | string) => queue.run(companyId, () => read(position, statement))
    const onReplica = statements({ query })
    // What has once been read from the primary is not looked for where it may not be yet.
    let isLeft = false
    const from = <Name extends 'one' | 'maybe' | 'many'>(name: Name) =>
      (async (statement: Sql) => {
        // A process that reads nothing, such as a worker, never connects.
        if (!followed && !isClosed) looking ??= setTimeout(lookAgain, 0).unref()
        if (followed && followed.runningSince !== position.runningSince) leave('The primary has changed', 0)
        if (!isLeft && followed && performance.now() >= behind.until) {
          try {
            const rows = await onReplica[name](statement)
            reads.replica++
            return rows
          } catch (error) {
            if (!(error instanceof NotAnswered || error instanceof NoRoom)) throw error
          }
        }
        isLeft = true
        reads.primary++
        return db[name](statement)
      }) as Db[Name]
    return { ...db, one: from('one'), maybe: from('maybe'), many: from('many') }
  }

  async function look(withinMs: number): Promise<Look> {
    const deadline = performance.now() + withinMs
    const { position, standing } = await examine().catch(error => {
      if (!(error instanceof NoRoom)) leave(error.message)
      throw error
    })
    const lineage = followed?.lineage as string
    let isCaughtUp = standing === 'caught up'
    while (!isCaughtUp && performance.now() < deadline) {
      await sleep(20)
      isCaughtUp = (await ask(lineage, position)).standing === 'caught up'
    }
    const lag = isCaughtUp ? undefined : await shared.send(LAG)
    return { isCaughtUp, lagSeconds: isCaughtUp ? 0 : (lag?.rows[0]?.seconds ?? null) }
  }

  return {
    reading,
    look,
    reads: () => reads,
    async close() {
      isClosed = true
      followed = undefined
      clearTimeout(looking)
      await end()
    },
  }
}
