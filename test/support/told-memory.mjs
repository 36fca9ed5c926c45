import { writeSync } from 'node:fs'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { isMainThread } from 'node:worker_threads'

// Loaded into a server with --import. On a signal it lets go of what nothing holds, and tells how large it is then.

if (isMainThread) {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc')
  process.on('SIGUSR2', () => {
    // What finalizers let go of is collected the second time.
    collect()
    setImmediate(() => {
      collect()
      const { heapUsed, arrayBuffers, rss } = process.memoryUsage()
      writeSync(1, `memory ${JSON.stringify({ heap: heapUsed, buffers: arrayBuffers, rss })}\n`)
    })
  })
}
