import { connect, createServer, type Server, type Socket } from 'node:net'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { createClamdScanner } from '../../../src/adapters/scanner/clamd.ts'
import { obstruction } from '../../../src/domain/ports/virus-scanner.ts'
import { zip } from '../../support/archives.ts'
import { EICAR, findClamd, type StartedClamd, startClamd } from '../../support/clamd.ts'
import { freePort } from '../../support/servers.ts'

const MAX_BYTES = 5_242_880
const program = findClamd()

describe.skipIf(!program)('A real clamd', () => {
  let clamd: StartedClamd
  beforeAll(async () => {
    clamd = await startClamd(program as string, ['StreamMaxLength 6M'])
  })
  afterAll(() => clamd.stop())

  it.each(['url', 'unixUrl'] as const)('says clean or infected and who said so, by its %s', async way => {
    const scanner = createClamdScanner(clamd[way])
    const engine = expect.stringMatching(/^ClamAV \d+\.\d+\.\d+[^/]*(\/\d+)?$/)
    expect(await scanner.scan(Buffer.from('مرحبا'), 'a.txt')).toEqual({ outcome: 'clean', engine, finding: null })
    expect(await scanner.scan(EICAR, 'a.txt')).toEqual({
      outcome: 'infected',
      engine,
      finding: expect.stringMatching(/^Eicar-Test/),
    })
    await scanner.close()
  })

  it('gets all of a file: what is at the very end of the largest is found', async () => {
    const scanner = createClamdScanner(clamd.url)
    const largest = Buffer.alloc(MAX_BYTES, 'text ')
    expect(await scanner.scan(largest, 'a.txt')).toMatchObject({ outcome: 'clean' })
    EICAR.copy(largest, MAX_BYTES - EICAR.length)
    expect(await scanner.scan(largest, 'a.txt')).toMatchObject({ outcome: 'infected' })
    expect(await scanner.scan(Buffer.alloc(0), 'empty.txt')).toMatchObject({ outcome: 'clean' })
  })

  it('keeps apart what is scanned at the same time', async () => {
    const scanner = createClamdScanner(clamd.url)
    const scans = Array.from({ length: 20 }, (_, i) => scanner.scan(i % 2 ? EICAR : Buffer.from(`text ${i}`), 'a.txt'))
    const outcomes = (await Promise.all(scans)).map(({ outcome }) => outcome)
    expect(outcomes).toEqual(Array.from({ length: 20 }, (_, i) => (i % 2 ? 'infected' : 'clean')))
  })

  it('never says clean of what is longer than its StreamMaxLength', async () => {
    const scanner = createClamdScanner(clamd.url)
    await expect(scanner.scan(Buffer.alloc(7 * 1024 * 1024), 'a.bin')).rejects.toThrow(
      /size limit|EPIPE|ECONNRESET|closed/,
    )
  })

  it('says of what exceeds its limits, or is locked, that it has failed, and not that it is infected', async () => {
    const strict = await startClamd(program as string, ['MaxFileSize 1M', 'MaxScanSize 1M', 'AlertEncrypted yes'])
    try {
      const verdict = await createClamdScanner(strict.url).scan(Buffer.alloc(2 * 1024 * 1024, 'a'), 'a.txt')
      expect(verdict).toMatchObject({ outcome: 'failed', finding: expect.stringMatching(/Limits\.Exceeded/) })
      const locked = zip([{ name: 'a.txt', bytes: Buffer.from('secret'), flags: 1 }])
      const refused = await createClamdScanner(strict.url).scan(locked, 'a.zip')
      expect(refused).toMatchObject({ outcome: 'failed', finding: expect.stringMatching(/Encrypted/) })
      expect(obstruction('failed', refused.finding).en).toBe(
        'is locked with a password, so it could not be looked into',
      )
    } finally {
      await strict.stop()
    }
  })

  it('that is killed in the middle of a scan gives no verdict, nor does one that is gone', async () => {
    const doomed = await startClamd(program as string)
    const wire = createServer(client => {
      const upstream = connect(Number(new URL(doomed.url).port), '127.0.0.1')
      let sentBytes = 0
      client.on('data', data => {
        const isHalfway = sentBytes <= MAX_BYTES / 2 && sentBytes + data.length > MAX_BYTES / 2
        sentBytes += data.length
        if (isHalfway) process.kill(doomed.pid, 'SIGKILL')
      })
      client.on('error', () => {}).pipe(upstream)
      upstream.on('error', () => client.destroy()).pipe(client)
    })
    const port = await freePort()
    await new Promise<void>(resolve => wire.listen(port, '127.0.0.1', resolve))
    const scanner = createClamdScanner(`tcp://127.0.0.1:${port}`)
    await expect(scanner.scan(Buffer.alloc(MAX_BYTES, 'text '), 'a.txt')).rejects.toThrow()
    await new Promise(resolve => wire.close(resolve))
    await doomed.stop()
    await expect(createClamdScanner(doomed.url).scan(EICAR, 'a.txt')).rejects.toThrow(/ECONNREFUSED/)
  })

  it('that hangs gives no verdict', async () => {
    const stuck = await startClamd(program as string)
    process.kill(stuck.pid, 'SIGSTOP')
    try {
      const scan = createClamdScanner(stuck.url, { timeLimitMs: 300 }).scan(EICAR, 'a.txt')
      await expect(scan).rejects.toThrow(/did not answer VERSION within 300 ms/)
    } finally {
      await stuck.kill()
    }
  })
})

describe('Something else in the place of clamd', () => {
  let server: Server
  const open = new Set<Socket>()
  afterEach(async () => {
    for (const socket of open) socket.destroy()
    await new Promise(resolve => server.close(resolve))
  })

  /** Answers VERSION as clamd does, and INSTREAM as told once the end of the stream came. */
  async function listen(
    answer: (socket: Socket) => void,
    { version = 'ClamAV 1.4.2/27500/Mon Jan  6 10:00:00 2025\0', timeLimitMs = 30_000 } = {},
  ) {
    server = createServer(socket => {
      open.add(socket)
      let received = Buffer.alloc(0)
      socket.on('error', () => {})
      socket.on('data', data => {
        received = Buffer.concat([received, data])
        if (received.toString() === 'zVERSION\0') socket.write(version)
        if (received.toString('latin1').startsWith('zINSTREAM\0') && received.subarray(-4).equals(Buffer.alloc(4)))
          answer(socket)
      })
    })
    const port = await freePort()
    await new Promise<void>(resolve => server.listen(port, '127.0.0.1', resolve))
    return createClamdScanner(`tcp://127.0.0.1:${port}`, { timeLimitMs })
  }

  it.each([
    ['nothing but a zero', '\0'],
    ['an OK without its prefix', 'OK\0'],
    ['an OK with more behind it', 'stream: OK maybe\0'],
    ['an OK in two lines', 'stream: OK\nstream: OK\0'],
    ['a find without a name', 'stream:  FOUND\0'],
    ['an error', 'INSTREAM size limit exceeded. ERROR\0'],
    ['an error that mentions OK', 'stream: OK ERROR\0'],
    ['another protocol', 'HTTP/1.1 400 Bad Request\r\n\r\n\0'],
    ['bytes that are no text', Buffer.from([0xff, 0xfe, 0x00])],
    ['an endless line', Buffer.alloc(10_000, 'a')],
  ])('that answers %s gives no verdict', async (_, answer) => {
    const scanner = await listen(socket => socket.write(answer), { timeLimitMs: 500 })
    await expect(scanner.scan(Buffer.from('text'), 'a.txt')).rejects.toThrow(/clamd/)
  })

  it.each([
    ['closes without a word', (socket: Socket) => socket.end()],
    ['closes in the middle of its answer', (socket: Socket) => socket.end('stream: OK')],
    ['resets the connection', (socket: Socket) => socket.resetAndDestroy()],
    ['says nothing', () => {}],
  ])('that %s gives no verdict', async (_, answer) => {
    const scanner = await listen(answer, { timeLimitMs: 500 })
    await expect(scanner.scan(Buffer.from('text'), 'a.txt')).rejects.toThrow()
  })

  it('is not taken for clamd unless it says so', async () => {
    const scanner = await listen(socket => socket.write('stream: OK\0'), { version: 'UNKNOWN COMMAND\0' })
    await expect(scanner.scan(Buffer.from('text'), 'a.txt')).rejects.toThrow(/Not a clamd/)
  })

  it('is understood however its answer is cut into pieces, and its version is told without the date', async () => {
    const scanner = await listen(async socket => {
      for (const letter of 'stream: Win.Test.EICAR_HDB-1 FOUND\0') {
        socket.write(letter)
        await new Promise(resolve => setImmediate(resolve))
      }
    })
    const verdict = await scanner.scan(Buffer.from('text'), 'a.txt')
    expect(verdict).toEqual({ outcome: 'infected', engine: 'ClamAV 1.4.2/27500', finding: 'Win.Test.EICAR_HDB-1' })
  })
})

describe('The address of clamd', () => {
  it.each(['', 'clamd', 'tcp://', 'tcp://host', 'http://host:3310', 'unix:relative', '127.0.0.1:3310'])(
    'cannot be %j',
    url => {
      expect(() => createClamdScanner(url)).toThrow('tcp://host:port or unix:/path')
    },
  )
})
