import { parentPort, workerData } from 'node:worker_threads'

// A thread that makes calls, a few at a time, and tells how long each took: an array for each window.

const { url, headers, windows, calls, atOnce } = workerData

async function timesOf() {
  const times = []
  let left = calls
  const work = async () => {
    while (left-- > 0) {
      const since = performance.now()
      const answer = await fetch(url, { headers })
      await answer.arrayBuffer()
      if (answer.status !== 200) throw new Error(`${url} was answered with ${answer.status}`)
      times.push(performance.now() - since)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  return times
}

const found = []
for (let n = 0; n < windows; n++) found.push(await timesOf())
parentPort.postMessage(found)
