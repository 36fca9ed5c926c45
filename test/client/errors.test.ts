import { beforeAll, describe, expect, it } from 'vitest'
import { createDiwan, DiwanError } from '../../client/src/index.ts'
import { useApp } from '../support/app.ts'
import type { TestCompany } from '../support/diwan.ts'
import { type PlannedProxy, startPlannedProxy } from '../support/planned-proxy.ts'
import { freePort } from '../support/servers.ts'

const app = useApp()
let company: TestCompany
let proxy: PlannedProxy
beforeAll(async () => {
  company = await app.diwan.company()
  proxy = await startPlannedProxy(app.url)
})

const failureOf = (calling: Promise<unknown>): Promise<DiwanError> =>
  calling.then(
    () => expect.unreachable('It did not fail'),
    error => error,
  )
const client = (key = company.key, url = proxy.url) => createDiwan({ url, key, retryForMs: 0 })

describe('An error', () => {
  it('has the status, code and message of the answer, and the id of the request', async () => {
    const error = await failureOf(client().projects.create({ name: ' ' }))
    expect(error).toBeInstanceOf(DiwanError)
    expect(error).toMatchObject({ status: 422, code: 'unprocessable_entity', message: "name can't be blank" })
    expect(error.requestId).toMatch(/^[\da-f-]{36}$/)
    expect(await failureOf(client('svc_api_wrong').me())).toMatchObject({ status: 401, code: 'unauthorized' })
  })

  it('of an answer that is not from Diwan says so', async () => {
    proxy.fates = [response => response.writeHead(500, { 'content-type': 'text/html' }).end('<h1>Oops</h1>')]
    expect(await failureOf(client().me())).toMatchObject({ status: 500, code: 'unexpected_answer' })
    for (const body of ['{"data":', 'null', '{"error":null}']) {
      proxy.fates = [response => response.writeHead(403).end(body)]
      expect(await failureOf(client().me())).toMatchObject({ status: 403, code: 'unexpected_answer' })
    }
    proxy.fates = [response => response.writeHead(200).end('<h1>Sign in to the hotel</h1>')]
    expect(await failureOf(client().me())).toMatchObject({ status: 0, code: 'unexpected_answer' })
  })

  it('of a server that is out of reach names the reason', async () => {
    const nobody = `http://127.0.0.1:${await freePort()}`
    const error = await failureOf(client(company.key, nobody).me())
    expect(error).toMatchObject({ status: 0, code: 'network_error', message: expect.stringContaining('ECONNREFUSED') })
    proxy.fates = ['cut before']
    expect(await failureOf(client().me())).toMatchObject({ status: 0, code: 'network_error' })
  })

  it('of a server that is silent is a time-out, and of a call that was aborted the reason of the signal', async () => {
    proxy.fates = ['hang', 'hang']
    expect(await failureOf(client().me({ timeoutMs: 200 }))).toMatchObject({ status: 0, code: 'time_out' })
    const aborting = new AbortController()
    const calling = failureOf(client().me({ signal: aborting.signal }))
    const reason = new Error('Not needed any more')
    setTimeout(() => aborting.abort(reason), 50)
    expect(await calling).toBe(reason)
    expect(await failureOf(client().me({ signal: aborting.signal }))).toBe(reason)
  })

  it('of a body that is cut off in the middle is one of the network', async () => {
    proxy.fates = [
      response => {
        response.writeHead(200, { 'content-length': '100' }).write('{"data"')
        setTimeout(() => response.destroy(), 20)
      },
    ]
    expect(await failureOf(client().me())).toMatchObject({ status: 0, code: 'network_error' })
  })
})
