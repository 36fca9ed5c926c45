import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createDiwan } from '../../client/src/index.ts'
import { diwan } from '../support/command.ts'
import { describeWith } from '../support/describe-with.ts'
import { type S3Server, startS3 } from '../support/s3-server.ts'
import { type Env, embedded, type ServerProcess, serve } from '../support/server-process.ts'
import { until } from '../support/servers.ts'

describeWith('swift', 'The files of a server with a bucket', () => {
  let s3: S3Server
  beforeAll(async () => {
    s3 = await startS3()
  })
  afterAll(() => s3.close())

  const inFolder = (env: Env) =>
    readdirSync(join(env.DATA_DIR as string, 'files'), { recursive: true, encoding: 'utf8' }).filter(name =>
      /[0-9a-f]{64}$/.test(name),
    )

  /** Uploads and downloads as a company that stays the same whatever the server is started with. */
  async function furnish(server: ServerProcess) {
    const { key, ...company } = await server.diwan.company()
    const at = `/projects/${(await server.diwan.project({ key, ...company })).id}/files`
    return {
      key,
      at,
      async upload({ diwan }: ServerProcess, name: string, content: string) {
        const { status, body } = await diwan.api(key).post(at, { name, content })
        if (status !== 201) return { status, id: 0 }
        const { id } = body.data
        await until(async () => (await diwan.api(key).get(`${at}/${id}`)).body.data.scan_state === 'clean', 60_000)
        return { status, id: id as number }
      },
      get: ({ url }: ServerProcess, id: number, init: RequestInit = {}) =>
        fetch(`${url}/api/v1${at}/${id}/download`, {
          ...init,
          headers: { authorization: `Bearer ${key}`, ...init.headers },
        }),
    }
  }

  it('are only there, come back whole and in part, and survive being restored into a folder', async () => {
    const env: Env = { ...embedded(), S3_URL: s3.urlOf(randomUUID()) }
    const server = await serve(env)
    const { upload, get } = await furnish(server)
    const { id } = await upload(server, 'خطة.txt', 'مرحبا 0123456789')
    const answer = await get(server, id)
    expect([answer.status, await answer.text()]).toEqual([200, 'مرحبا 0123456789'])
    const part = await get(server, id, { headers: { range: 'bytes=-4' } })
    expect([part.status, await part.text()]).toEqual([206, '6789'])
    const backup = join(String(env.DATA_DIR), 'backup.tar')
    expect(await diwan(env, 'backup', backup)).toMatchObject({ code: 0 })
    await server.end('SIGTERM')
    expect((await diwan(env, 'verify-files')).stdout).toMatch(
      '1 file checked, 0 without their bytes, 0 contents without a file',
    )

    const onDisk = embedded()
    expect(await diwan(onDisk, 'restore', backup)).toMatchObject({ code: 0 })
    expect(inFolder(onDisk)).toHaveLength(1)
    const restored = await serve(onDisk)
    expect(await (await get(restored, id)).text()).toBe('مرحبا 0123456789')
    await restored.end('SIGTERM')
  })

  /** In front of the bucket, to see who comes with which credentials. */
  async function watched() {
    const credentials: string[] = []
    const front = createServer((asked, response) => {
      const { method, url: path, headers } = asked
      credentials.push(String(headers.authorization))
      const passed = request({ host: '127.0.0.1', port: s3.port, method, path, headers }, answer =>
        answer.pipe(response.writeHead(answer.statusCode ?? 0, answer.headers)),
      )
      asked.pipe(passed)
    }).listen(0, '127.0.0.1')
    await new Promise(listening => front.once('listening', listening))
    return { port: (front.address() as AddressInfo).port, credentials, close: () => front.close() }
  }

  it('are downloaded from the bucket itself where that is wanted, by our clients without their key', async () => {
    const front = await watched()
    const server = await serve({ ...embedded(), S3_URL: s3.urlOf(randomUUID(), front.port), S3_REDIRECT: 'on' })
    const { upload, get, key, at } = await furnish(server)
    const { id } = await upload(server, 'خطة.txt', 'مرحبا')
    const told = await get(server, id, { redirect: 'manual' })
    expect([told.status, told.headers.get('cache-control')]).toEqual([302, 'private, no-store'])
    expect(new URL(String(told.headers.get('location'))).port).toBe(String(front.port))
    const answer = await get(server, id)
    expect([answer.status, await answer.text()]).toEqual([200, 'مرحبا'])
    expect(answer.headers.get('content-disposition')).toContain("filename*=UTF-8''%D8%AE%D8%B7%D8%A9.txt")
    expect(answer.headers.get('content-type')?.toLowerCase()).toBe('text/plain; charset=utf-8')

    front.credentials.length = 0
    const [, project = ''] = at.match(/^\/projects\/(.+)\/files$/) ?? []
    const byClient = await createDiwan({ url: server.url, key }).projects.downloadFile(project, id)
    const byCommand = await diwan({ DIWAN_URL: server.url, DIWAN_KEY: key }, 'api', 'GET', `${at}/${id}/download`)
    const program = `import diwan; print(diwan.Diwan("${server.url}", "${key}").projects.download_file("${project}", ${id}).decode())`
    const byPython = await promisify(execFile)('python3', ['-c', program], {
      env: { PATH: process.env.PATH, PYTHONPATH: resolve('clients/python/src'), PYTHONIOENCODING: 'utf8' },
    })
    expect([await byClient.text(), byCommand.stdout, byPython.stdout.trim()]).toEqual(['مرحبا', 'مرحبا', 'مرحبا'])
    // The server itself signs its requests. These three have no credentials but their address.
    expect(front.credentials.filter(each => !each.startsWith('AWS4-HMAC'))).toEqual(Array(3).fill('undefined'))
    await server.end('SIGTERM')
    front.close()
  })

  it('are refused while the bucket is away, with the reason in the health, and taken again afterwards', async () => {
    const server = await serve({ ...embedded(), S3_URL: s3.urlOf(randomUUID()) })
    const { upload, get } = await furnish(server)
    const { id } = await upload(server, 'before.txt', 'before')
    await s3.down()
    try {
      expect((await upload(server, 'meanwhile.txt', 'meanwhile')).status).toBe(503)
      expect((await get(server, id)).status).toBe(503)
      const storage = async () => {
        const { parts } = (await server.diwan.operator.get('/health')).body.data
        return parts.find(({ name }: { name: string }) => name === 'storage')
      }
      // A look of a moment ago may still be told.
      await until(async () => (await storage()).state === 'down')
      expect((await storage()).message).toContain('ECONNREFUSED')
    } finally {
      await s3.up()
    }
    expect((await upload(server, 'after.txt', 'after')).status).toBe(201)
    expect(await (await get(server, id)).text()).toBe('before')
    await server.end('SIGTERM')
  })
})
