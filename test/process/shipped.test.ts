import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Diwan } from '../support/diwan.ts'
import { asNobody, folderOfNobody, makeWritable } from '../support/nobody.ts'
import { answering, type Env, type Launched, launch } from '../support/server-process.ts'
import { until } from '../support/servers.ts'
import { ship } from '../support/shipment.ts'

let shipped: string
beforeAll(async () => {
  shipped = await ship()
})
afterAll(() => makeWritable(join(shipped, '..')))

/** A command of the shipment, as a user without rights and without a home: the environment holds nothing but what is given. */
function start(env: Env, args?: string[]): Launched {
  return launch({ TMPDIR: folderOfNobody(), ...env }, args, asNobody, join(shipped, 'dist/main.js'))
}

describe('What the document ships', () => {
  it('is the compiled program with what it reads, its packages and no sources', () => {
    expect(readdirSync(shipped).sort()).toEqual(['dist', 'node_modules', 'package.json'])
    expect(readdirSync(join(shipped, 'dist/db/migrations'))).toEqual(readdirSync('src/db/migrations'))
    expect(readdirSync(join(shipped, 'dist/adapters/scanner/yara/rules'))).toEqual(
      readdirSync('src/adapters/scanner/yara/rules'),
    )
    for (const left of ['typescript', 'tsx', 'vitest'])
      expect(readdirSync(join(shipped, 'node_modules'))).not.toContain(left)
  })

  it('migrates, serves, scans, renders and makes keys, for a user without rights and without a home', async () => {
    const env = { DATA_DIR: folderOfNobody() }
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
      '2 files checked, 0 without their bytes, 0 contents without a file\n',
    ])
  })
})
