import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Diwan } from '../support/diwan.ts'
import { instructionOf, type Stage, stagesOfImage } from '../support/dockerfile.ts'
import { asNobody, folderOfNobody, makeWritable } from '../support/nobody.ts'
import { answering, type Env, type Launched, launch } from '../support/server-process.ts'
import { until } from '../support/servers.ts'
import { ship, shippingCommands } from '../support/shipment.ts'

let shipped: string
let data: string
beforeAll(async () => {
  data = folderOfNobody()
  shipped = await ship()
})
afterAll(() => makeWritable(join(shipped, '..')))

/** Starts a command of the shipment as a user without rights and without a home, with only the given environment. */
function start(env: Env, args?: string[]): Launched {
  return launch({ TMPDIR: folderOfNobody(), ...env }, args, asNobody, join(shipped, 'dist/main.js'))
}

describe('What the document ships', () => {
  it('migrates, serves, scans, renders and makes keys, for a user without rights and without a home', async () => {
    for (const left of ['typescript', 'tsx', 'vitest'])
      expect(readdirSync(join(shipped, 'node_modules'))).not.toContain(left)
    const env = { DATA_DIR: data }
    const migrated = start(env, ['migrate'])
    expect([await migrated.exited, migrated.stderr()]).toEqual([{ code: 0, signal: null }, ''])
    expect(migrated.stdout()).toMatch(/^Applied 0001_companies\.sql, /)

    const server = start({ ...env, PORT: '0' })
    const url = (await answering(server)) as string
    expect(url, server.stderr()).toBeDefined()
    const key = start({ ...env, PORT: new URL(url).port }, ['key', 'create', '--name', 'Shipped'])
    expect(await key.exited, key.stderr()).toEqual({ code: 0, signal: null })
    const api = new Diwan(url, '').api(key.stdout().trim())

    const project = (await api.post('/projects', { name: 'انتقال المكتب' })).body.data
    const files = `/projects/${project.id}/files`
    const sent = [
      { name: 'ملاحظات.md', content: '# مرحبا' },
      { name: 'تقرير.pdf', content: '# تقرير\n\nA *report*, set by Typst.' },
    ]
    for (const body of sent) {
      const { status, body: answer } = await api.post(files, body)
      expect([status, answer]).toMatchObject([201, { data: { scan_state: 'pending' } }])
      const path = `${files}/${answer.data.ref}`
      await until(async () => (await api.get(path)).body.data.scan_state !== 'pending')
      expect((await api.get(path)).body.data.scan_state).toBe('clean')
      expect((await api.get(`${path}/download`)).body).toMatch(body.name.endsWith('.pdf') ? /^%PDF-/ : /^# مرحبا$/)
    }
    expect((await fetch(`${url}/docs/scalar.js`)).status).toBe(200)
    expect(await server.end('SIGTERM')).toEqual({ code: 0, signal: null })

    const verified = start(env, ['verify-files'])
    expect([await verified.exited, verified.stdout()]).toEqual([
      { code: 0, signal: null },
      '3 files checked, 0 without their bytes, 0 contents without a file\n',
    ])
  })
})

describe('The image', () => {
  const [build, run] = stagesOfImage() as [Stage, Stage]
  const words = (name: string): string[] => JSON.parse(instructionOf(run, name).replace(/^.*?CMD (?=\[)/, ''))

  it('is built by the commands of the document, starts the server as nobody special, and its health check knows whether that can serve', async () => {
    expect(build.commands).toEqual(shippingCommands())
    expect([instructionOf(run, 'COPY'), instructionOf(run, 'USER')]).toEqual([
      '--from=build /opt/diwan /opt/diwan',
      '1000:1000',
    ])
    const settings = instructionOf(run, 'ENV')
      .split(' ')
      .map(pair => pair.split('='))
    const env: Env = { ...Object.fromEntries(settings), DATA_DIR: data, PORT: '0' }
    expect(settings.map(([name]) => name)).toEqual(['HOST', 'PORT', 'DATA_DIR'])
    const [program, main, ...command] = [...words('ENTRYPOINT'), ...words('CMD')]
    expect([program, main]).toEqual(['node', 'dist/main.js'])
    const server = start({ ...env, HOST: '127.0.0.1' }, command)
    const url = (await answering(server)) as string
    const isHealthy = () => {
      const [node = '', ...args] = words('HEALTHCHECK')
      return spawnSync(node, args, { env: { PATH: process.env.PATH, PORT: new URL(url).port } }).status
    }
    expect(isHealthy()).toBe(0)
    await server.end('SIGTERM')
    expect(isHealthy()).toBe(1)
  })
})
