import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it, onTestFinished } from 'vitest'
import { timely } from '../../src/adapters/timely-body.ts'
import { StorageUnavailable } from '../../src/domain/ports/blob-store.ts'

const WITHIN_MS = 400

describe('The body of an answer', () => {
  async function answered(send: (response: ServerResponse) => unknown) {
    const server = createServer((_request, response) => send(response)).listen(0, '127.0.0.1')
    onTestFinished(() => {
      server.close()
      server.closeAllConnections()
    })
    await new Promise(listening => server.once('listening', listening))
    return timely(await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}`), WITHIN_MS)
  }

  async function piecesOf({ body }: Response, pauseMs = 0): Promise<string> {
    let text = ''
    for await (const piece of body ?? []) {
      text += Buffer.from(piece).toString()
      await sleep(pauseMs)
    }
    return text
  }

  it('is given up when its pieces take too long in all, whether it stalls or comes byte by byte', async () => {
    const late = { message: 'S3 broke off: Not done within', isPassing: true }
    const isLate = async (answer: Response) => {
      const failure = await piecesOf(answer).catch(error => error)
      expect(failure).toBeInstanceOf(StorageUnavailable)
      expect(failure).toMatchObject({ ...late, message: expect.stringContaining(late.message) })
    }
    await isLate(await answered(response => response.write('half')))
    const trickling = async (response: ServerResponse) => {
      for (; !response.destroyed; await sleep(100)) response.write('.')
    }
    await isLate(await answered(trickling))
  })

  it('waits for whoever reads it', async () => {
    const large = Buffer.alloc(1_000_000, 'x').toString()
    const answer = await answered(response => response.end(large))
    expect((await piecesOf(answer, 50)).length).toBe(large.length)
  })

  it('that breaks off says so', async () => {
    const answer = await answered(response => {
      response.writeHead(200, { 'content-length': 10 }).write('half', () => response.destroy())
    })
    await expect(piecesOf(answer)).rejects.toThrow('S3 broke off: terminated')
  })
})
