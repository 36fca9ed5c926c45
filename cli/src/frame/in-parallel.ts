const AT_ONCE = 8

/** Does the work for each, a few at a time. */
export async function inParallel<T>(
  all: Iterable<T> | AsyncIterable<T>,
  work: (one: T) => Promise<void>,
): Promise<void> {
  const iterator = eachOf(all)
  const worker = async () => {
    for (let next = await iterator.next(); !next.done; next = await iterator.next()) await work(next.value)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
}

async function* eachOf<T>(all: Iterable<T> | AsyncIterable<T>): AsyncGenerator<T> {
  yield* all
}
