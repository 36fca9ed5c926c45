/** Writes the rows of several callers at once. Returns their answers in the same order. */
type WriteRows<Row, Answer> = (rows: Row[]) => Promise<Answer[]>

interface Waiting {
  row: unknown
  write: WriteRows<unknown, unknown>
  resolve: (answer: unknown) => void
  reject: (error: unknown) => void
}

interface Gathering {
  waiting: Waiting[]
  isOnItsWay: boolean
}

const MOST_ROWS = 50
/** Rows wait at most this long for the statement before theirs. */
const LONGEST_WAIT_MS = 20

/**
 * Batches writes: rows that arrive while a statement of the same name is in flight share the next one, so concurrent writes
 * share a transaction and a flush of the disk. A single row does not wait. `isOfRow` recognises a failure that one of the rows
 * may have caused and after which nothing was written: then each row is tried by itself.
 */
export function createGathering(isOfRow: (error: unknown) => boolean) {
  const gatherings = new Map<string, Gathering>()

  function send(name: string, gathering: Gathering): void {
    gathering.isOnItsWay = true
    let isPast = false
    const goOn = () => {
      if (isPast) return
      isPast = true
      clearTimeout(patience)
      if (gathering.waiting.length > 0) return send(name, gathering)
      gatherings.delete(name)
    }
    const patience = setTimeout(goOn, LONGEST_WAIT_MS)
    writeAll(gathering.waiting.splice(0, MOST_ROWS)).then(goOn)
  }

  /** The first of the calls writes for all. */
  async function writeAll(calls: Waiting[]): Promise<void> {
    try {
      const answers = (await calls[0]?.write(calls.map(({ row }) => row))) ?? []
      for (const [n, { resolve }] of calls.entries()) resolve(answers[n])
    } catch (error) {
      if (calls.length > 1 && isOfRow(error)) await Promise.all(calls.map(call => writeAll([call])))
      else for (const { reject } of calls) reject(error)
    }
  }

  /** The casts hold if whoever uses a name has rows and answers of the same types. */
  return <Row, Answer>(name: string, row: Row, write: WriteRows<Row, Answer>): Promise<Answer> =>
    new Promise<unknown>((resolve, reject) => {
      const gathering = gatherings.get(name) ?? { waiting: [], isOnItsWay: false }
      gatherings.set(name, gathering)
      gathering.waiting.push({ row, write: write as WriteRows<unknown, unknown>, resolve, reject })
      if (!gathering.isOnItsWay) send(name, gathering)
    }) as Promise<Answer>
}
