import { expect, it } from 'vitest'
import { QUEUES } from '../../src/queues.ts'
import { startBucket } from '../support/answering-bucket.ts'
import { embedded, serve } from '../support/server-process.ts'
import { until } from '../support/servers.ts'

/** Far more than the entrance lets in where more comes than can be answered. */
const UPLOADS = 400

it('A bucket that says nothing keeps the entrance open to everybody whose calls do not need it', async () => {
  const bucket = await startBucket(line => line.startsWith('PUT'))
  const server = await serve({ ...embedded(), S3_URL: bucket.url, BURST_PER_MINUTE: '0' })
  try {
    const [busy, other] = [await server.diwan.company(), await server.diwan.company()]
    const { id } = await server.diwan.project(busy)
    const upload = (n: number) => busy.api.post(`/projects/${id}/files`, { name: `${n}.txt`, content: `${n}` })
    const refused: number[] = []
    for (let n = 0; n < UPLOADS; n++)
      upload(n).then(
        ({ status }) => refused.push(status),
        () => {},
      )
    const { total, waiting } = QUEUES.bucket
    await until(async () => refused.length >= UPLOADS - total - waiting, 60_000)
    expect(new Set(refused)).toEqual(new Set([503]))
    const answers = await Promise.all(Array.from({ length: 30 }, () => other.api.get('/projects')))
    expect(answers.map(({ status }) => status)).toEqual(Array(30).fill(200))
    expect(server.stderr()).toContain('NoRoom (bucket)')
  } finally {
    await server.end('SIGKILL')
    bucket.close()
  }
})
