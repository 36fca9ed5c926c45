import { execFile, spawn } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { newWebhookSecret, signature } from '../../src/domain/webhooks/signature.ts'
import { WEBHOOK_KINDS } from '../../src/domain/webhooks/webhooks.ts'
import { describeWith } from '../support/describe-with.ts'
import { created, Diwan } from '../support/diwan.ts'
import { documented, examplesOf } from '../support/documented.ts'
import { useReader } from '../support/reader.ts'
import { until } from '../support/servers.ts'

const answersIn = (text: string) =>
  text
    .split('\n')
    .filter(Boolean)
    .map(line => JSON.parse(line))

describeWith(['curl', 'python'], 'What the documents say to type works as it stands', () => {
  const reader = useReader()
  const { follow, settings } = reader
  let ownerToken: string

  // First, because the ids in this document are those of a server on which nothing has been created yet.
  it('about administration', async () => {
    const [session = '', make = '', ...others] = documented('docs/administration.md', 'Examples')
    const [company, key] = answersIn(await follow(session + make.replaceAll(/^# .*$/gm, '')))
    expect(company.data).toMatchObject({ id: 2, name: 'Najd Trading', owner: { name: 'Layla Haddad' } })
    expect(key.data).toMatchObject({ id: 2, name: 'Reports', access: 'read', key: expect.stringMatching(/^svc_api_/) })
    ownerToken = company.data.owner_token

    const diwan = new Diwan(reader.server.url, await follow('cat data/operator-token'))
    const api = diwan.api(await diwan.key(2))
    const project = (await created(api.post('/projects', { name: 'مشروع محذوف' }))).data
    expect((await api.delete(`/projects/${project.id}`)).status).toBe(200)
    const rest = others.join('\n').replace('prj-4k7q2m9x0c', project.id)
    const answers = answersIn(await follow(`${session}\n${rest}`, { OWNER_TOKEN: ownerToken }))
    expect(answers).toHaveLength(8)
    expect(answers.filter(answer => 'error' in answer)).toEqual([])
    expect(answers.at(-1).data.id).toBe(project.id)
  })

  it('about webhooks', async () => {
    const [create = ''] = examplesOf('docs/webhooks.md')
    const { data } = JSON.parse(await follow(create.replace('curl', 'curl -s'), { DIWAN_TOKEN: ownerToken }))
    expect(data).toMatchObject({ name: 'Warehouse', secret: expect.stringMatching(/^whsec_/) })
    expect(WEBHOOK_KINDS).toEqual(expect.arrayContaining(data.kinds))
  })

  it('about webhooks: what verifies a message in Python, too', async () => {
    const [verify = ''] = examplesOf('docs/webhooks.md', 'python')
    const [secret, body, timestamp] = [newWebhookSecret(), '{"title":"شراء الأثاث"}', Math.floor(Date.now() / 1000)]
    const headers = {
      'webhook-id': 'msg_1',
      'webhook-timestamp': String(timestamp),
      'webhook-signature': signature([newWebhookSecret(), secret], 'msg_1', timestamp, body),
    }
    const program = `import json, sys\n${verify}
headers, body, secret = json.loads(sys.argv[1])
late = {**headers, 'webhook-timestamp': '1'}
print(is_genuine(headers, body.encode(), secret), is_genuine(headers, b'{}', secret), is_genuine(late, body.encode(), secret))`
    const { stdout } = await promisify(execFile)('python3', ['-c', program, JSON.stringify([headers, body, secret])])
    expect(stdout).toBe('True False False\n')
  })

  it('about search', async () => {
    const [search = ''] = examplesOf('docs/search.md')
    const answers = answersIn(await follow(`${settings}\n${search}`))
    expect(answers.map(({ data }) => data.query)).toEqual(['office', 'office', 'المكتب'])
  })

  it('about changes, once and as they happen', async () => {
    const [once = '', live = ''] = examplesOf('docs/changes.md')
    const { data, meta } = JSON.parse(await follow(once.replace('curl', 'curl -s')))
    expect([data, typeof meta.next_cursor]).toEqual([[], 'string'])

    const { url, diwan } = reader.server
    const env = { PATH: process.env.PATH, DIWAN_URL: url, DIWAN_KEY: reader.key }
    const curl = spawn('bash', ['-euc', `exec ${live}`], { env, stdio: ['ignore', 'pipe', 'ignore'] })
    let streamed = ''
    curl.stdout.setEncoding('utf8').on('data', text => {
      streamed += text
    })
    await until(async () => streamed.includes('\n'))
    const { id } = (await created(diwan.api(reader.key).post('/projects', { name: 'Seen at once' }))).data
    await until(async () => streamed.includes(id))
    curl.kill()
    const entry = Object.keys(JSON.parse(examplesOf('docs/changes.md', 'json')[0] ?? '').data[0])
    const line = streamed.split('\n').find(each => each.startsWith('data: ') && each.includes(id)) as string
    expect(Object.keys(JSON.parse(line.slice('data: '.length)))).toEqual(entry)
  })
})
