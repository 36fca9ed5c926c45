import type { QueueBounds } from './lib/fair-queue.ts'

// Every queue of the service. In each, companies take turns, and none gets all of the room. See decision 16. Streams do not wait:
// domain/feed/open-streams.ts counts them, and refuses one too many.

/** A call that has waited in a queue for this long is answered with 503. */
const WAIT_OF_A_CALL_MS = 5_000

const DATABASE = { waiting: 5_000, waitingPerKey: 500, waitMs: WAIT_OF_A_CALL_MS, quickMs: 100 }
const MIB = 1024 * 1024

export const QUEUES = {
  /**
   * The engine runs one statement at a time, first come, first served. The others have been sent to it and wait there, so that it
   * need not wait for them. A company that is alone may send many ahead; beside others, each of its statements delays theirs.
   */
  embeddedStatements: { ...DATABASE, total: 32, perKey: 16, besideOthers: 2 },
  /**
   * A transaction may take long, and nobody else can use the engine meanwhile, so a company has one at a time: whoever comes
   * while it is running is next.
   */
  embeddedTransactions: { ...DATABASE, total: 8, perKey: 1 },
  /**
   * Counted in bytes of request bodies. A byte of a body takes about three bytes of memory while it is parsed and decoded.
   */
  bodies: { total: 64 * MIB, perKey: 32 * MIB, waiting: 10_000, waitingPerKey: 2_000, waitMs: WAIT_OF_A_CALL_MS },
  /** Pieces of answers that take long to write. Whoever waits holds all records of one. */
  longAnswers: { total: 1, perKey: 1, waiting: 64, waitingPerKey: 8, waitMs: WAIT_OF_A_CALL_MS },
  /** Counted in bytes of answers that their readers have not taken yet. The longest page has 13 MB; whoever waits holds one. */
  answers: { total: 256 * MIB, perKey: 64 * MIB, waiting: 32, waitingPerKey: 8, waitMs: WAIT_OF_A_CALL_MS },
  /** Each PDF is rendered in a process of its own. */
  pdfs: { total: 2, perKey: 1, waiting: 64, waitingPerKey: 16, waitMs: 10_000 },
  /**
   * Look-ups of host names that a company has chosen. They cost little, so that only those of the same company wait for each
   * other.
   */
  names: { total: 10_000, perKey: 4, waiting: 10_000, waitingPerKey: 20, waitMs: 30_000 },
  /** Large texts from calendar servers, each read in a thread of its own. */
  calendarTexts: { total: 2, perKey: 1, waiting: 100, waitingPerKey: 20, waitMs: 15_000 },
  /** Files that are scanned, each in a thread. The jobs that ask for it take turns already. */
  scans: { total: 2, perKey: 2, waiting: 1_000, waitingPerKey: 1_000, waitMs: 40_000 },
  /** The lanes of a webhook, running and waiting. There may be other workers, so the database counts its deliveries as well. */
  oneWebhook: { total: 20_000, perKey: 2, waiting: 0, waitingPerKey: 0, waitMs: 0 },
  /**
   * Attempts to deliver to webhooks. Those to receivers that say nothing take 15 seconds each and cost next to nothing, so there is
   * room for those of many companies. What waits for too long is found again when it is next looked for.
   */
  webhooks: { total: 400, perKey: 8, waiting: 10_000, waitingPerKey: 20, waitMs: 600_000 },
  /** Of these, attempts to reach receivers that are failing: each may take as long as an attempt is allowed to. */
  failingWebhooks: { total: 200, perKey: 4, waiting: 10_000, waitingPerKey: 20, waitMs: 600_000 },
  /**
   * What a company's calls and scans ask of the bucket: each until its answer has been read or, for a download, has begun. Calls that wait
   * for a bucket that says nothing count as worked on, so all of them together are far fewer than close the entrance to everybody
   * (`http/requests/entrance.ts`). Removals are left out: they take turns as jobs, and hold a lock.
   */
  bucket: { total: 64, perKey: 32, waiting: 96, waitingPerKey: 72, waitMs: 2_000 },
  /** Questions to the other cells, each put to all of them: who has this company, or this credential? The latter share a key. */
  cells: { total: 64, perKey: 32, waiting: 512, waitingPerKey: 256, waitMs: 1_000 },
} satisfies Record<string, QueueBounds>

/**
 * A call takes one statement after the other. Without a pause, the company that has just kept the embedded engine busy would
 * send its next transaction before another company sends its second statement, and that would wait for each of them.
 */
export const PAUSE_OF_EMBEDDED = { afterMs: 15, forMs: 8 }

/**
 * The queues of a pool of PostgreSQL connections. Single statements share `shared` of them, `statementsOnEach` at a time on
 * each.
 */
export function queuesOfPool(poolSize: number, shared: number, statementsOnEach: number) {
  // Transactions leave the shared connections and one more free.
  const transactions = Math.max(1, poolSize - shared - 1)
  const statements = shared * statementsOnEach
  return {
    transactions: { ...DATABASE, total: transactions, perKey: Math.max(1, Math.ceil((transactions * 2) / 3)) },
    statements: { ...DATABASE, total: statements, perKey: Math.ceil(statements / 2) },
  }
}

/** Reads on a replica. What waits for longer than this is read from the primary, and waits there. */
export function queueOfReplica(connections: number, statementsOnEach: number): QueueBounds {
  const statements = connections * statementsOnEach
  return { ...DATABASE, total: statements, perKey: Math.ceil(statements / 2), waitMs: 500 }
}

/** For a pool whose connections are used for everything alike. */
export function queueOfConnections(connections: number): QueueBounds {
  return { ...DATABASE, total: connections, perKey: Math.max(1, connections - 1) }
}

/**
 * How many jobs of each kind a worker runs at a time, and how many of them for one company. Jobs wait in the database, not
 * here: `jobs/turns.ts` takes the next one when there is room for it.
 */
export const JOBS_AT_ONCE = {
  'notify-people': { atOnce: 4, ofCompany: 1 },
  'mail-notification': { atOnce: 10, ofCompany: 5 },
  'scan-file': { atOnce: 2, ofCompany: 1 },
  'remove-bytes': { atOnce: 5, ofCompany: 2 },
  'remove-list': { atOnce: 2, ofCompany: 1 },
  'remove-folder': { atOnce: 2, ofCompany: 1 },
  // Most of them wait for somebody's server most of the time, up to 40 seconds for one that says nothing.
  'sync-calendar': { atOnce: 100, ofCompany: 2 },
}
