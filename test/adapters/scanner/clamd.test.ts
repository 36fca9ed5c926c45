import { connect, createServer, type Server, type Socket } from 'node:net'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { createClamdScanner } from '../../../src/adapters/scanner/clamd.ts'
import { obstruction } from '../../../src/domain/ports/virus-scanner.ts'
import { zip } from '../../support/archives.ts'
import { EICAR, type StartedClamd, startClamd } from '../../support/clamd.ts'
import { describeWith } from '../../support/describe-with.ts'
import { freePort } from '../../support/servers.ts'

const MAX_BYTES = 5_242_880

describeWith('clamd', 'A real clamd', ({ clamd: program }) => {
  let clamd: StartedClamd
  beforeAll(async () => {
    clamd = await startClamd(program, ['StreamMaxLength 6M'])
  })
  afterAll(() => clamd.stop())

  it('says clean or infected and who said so, over TCP and by its socket, and of each of many at once', async () => {
    const engine = expect.stringMatching(/^ClamAV \d+\.\d+\.\d+[^/]*(\/\d+)?$/)
    const found = { outcome: 'infected', engine, finding: expect.stringMatching(/^Eicar-Test/) }
    const clean = { outcome: 'clean', engine, finding: null }
    for (const url of [clamd.url, clamd.unixUrl]) {
      const scanner = createClamdScanner(url)
      const scans = Array.from({ length: 20 }, (_, n) =>
        scanner.scan(n % 2 ? EICAR : Buffer.from(`مرحبا ${n}`), 'a.txt'),
      )
      expect(await Promise.all(scans)).toEqual(scans.map((_, n) => (n % 2 ? found : clean)))
      expect(await scanner.check()).toMatchObject({
        state: 'ok',
        message: { en: expect.stringMatching(/^ClamAV .* answers\.$/) },
      })
      await scanner.close()
    }
  })

  it('gets all of a file: what is at the very end of the largest is found', async () => {
    const scanner = createClamdScanner(clamd.url)
    const largest = Buffer.alloc(MAX_BYTES, 'text ')
    expect(await scanner.scan(largest, 'a.txt')).toMatchObject({ outcome: 'clean' })
    EICAR.copy(largest, MAX_BYTES - EICAR.length)
    expect(await scanner.scan(largest, 'a.txt')).toMatchObject({ outcome: 'infected' })
    expect(await scanner.scan(Buffer.alloc(0), 'empty.txt')).toMatchObject({ outcome: 'clean' })
    const tooLong = scanner.scan(Buffer.alloc(7 * 1024 * 1024), 'a.bin')
    await expect(tooLong).rejects.toThrow(/size limit|EPIPE|ECONNRESET|closed/)
  })

  it('says of a file that exceeds its limits, or is locked, that it has failed, and not that it is infected', async () => {
    const strict = await startClamd(program, ['MaxFileSize 1M', 'MaxScanSize 1M', 'AlertEncrypted yes'])
    try {
      const verdict = await createClamdScanner(strict.url).scan(Buffer.alloc(2 * 1024 * 1024, 'a'), 'a.txt')
      expect(verdict).toMatchObject({ outcome: 'failed', finding: expect.stringMatching(/Limits\.Exceeded/) })
      const locked = zip([{ name: 'a.txt', bytes: Buffer.from('secret'), flags: 1 }])
      const refused = await createClamdScanner(strict.url).scan(locked, 'a.zip')
      expect(refused).toMatchObject({ outcome: 'failed', finding: expect.stringMatching(/Encrypted/) })
      expect(obstruction('failed', refused.finding).en).toMatch(/^is locked with a password/)
    } finally {
      await strict.stop()
    }
  })

  it('that is killed in the middle of a scan gives no verdict, nor does one that is gone', async () => {
    const doomed = await startClamd(program)
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
    await expect(createClamdScanner(doomed.url).check()).rejects.toThrow('ECONNREFUSED')
  })

  it('that hangs gives no verdict', async () => {
    const stuck = await startClamd(program)
    process.kill(stuck.pid, 'SIGSTOP')
    const scan = createClamdScanner(stuck.url, { timeLimitMs: 300 }).scan(EICAR, 'a.txt')
    await expect(scan)
      .rejects.toThrow(/did not answer VERSION within 300 ms/)
      .finally(() => stuck.kill())
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

  const answering = (answer: string | Buffer) => (socket: Socket) => void socket.write(answer)
  it.each<[string, (socket: Socket) => void]>([
    ['answers nothing but a zero', answering('\0')],
    ['answers OK without its prefix', answering('OK\0')],
    ['answers OK with more behind it', answering('stream: OK maybe\0')],
    ['answers OK in two lines', answering('stream: OK\nstream: OK\0')],
    ['answers a find without a name', answering('stream:  FOUND\0')],
    ['answers an error', answering('INSTREAM size limit exceeded. ERROR\0')],
    ['answers an error that mentions OK', answering('stream: OK ERROR\0')],
    ['answers bytes that are no text', answering(Buffer.from([0xff, 0xfe, 0x00]))],
    ['answers an endless line', answering(Buffer.alloc(10_000, 'a'))],
    ['closes without a word', socket => socket.end()],
    ['closes in the middle of its answer', socket => socket.end('stream: OK')],
    ['resets the connection', socket => socket.resetAndDestroy()],
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

it('The address of clamd is tcp://host:port or unix:/path, and nothing else', () => {
  for (const url of ['', 'clamd', 'tcp://', 'tcp://host', 'http://host:3310', 'unix:relative', '127.0.0.1:3310'])
    expect(() => createClamdScanner(url), url).toThrow('tcp://host:port or unix:/path')
})
