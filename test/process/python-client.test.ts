import { execFile, spawn } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { Webhook as Reference } from 'standardwebhooks'
import { beforeAll, expect, it } from 'vitest'
import { CONTRACT_VERSION } from '../../src/contract-version.ts'
import { newWebhookSecret } from '../../src/domain/webhooks/signature.ts'
import { describeWith } from '../support/describe-with.ts'
import { examplesOf } from '../support/documented.ts'
import { type Env, embedded, newFolder, type ServerProcess, serve } from '../support/server-process.ts'
import { freePort, until } from '../support/servers.ts'

const README = 'clients/python/README.md'
const MYPY = ['--strict', '--python-version', '3.9', '--no-error-summary']

describeWith(['hatchling', 'mypy'], 'The Python client, packed and installed in a new environment,', paths => {
  const { hatchling, mypy } = paths
  const settings: Env = { ...embedded(), ALLOW_PRIVATE_WEBHOOKS: 'on' }
  const folder = newFolder()
  const python = join(folder, 'environment/bin/python')
  let server: ServerProcess
  let env: Env

  beforeAll(async () => {
    // It is killed once and started again, and meanwhile nobody else may get its port.
    settings.PORT = String(await freePort())
    server = await serve(settings)
    env = {
      PATH: process.env.PATH ?? '',
      HOME: folder,
      TMPDIR: folder,
      PYTHONDONTWRITEBYTECODE: '1',
      DIWAN_URL: server.url,
      DIWAN_KEY: (await server.diwan.company()).key,
    }
    // The Python that has what builds the package, which need not be the first on the path.
    const [, systems = 'python3'] = /^#!\s*(\S+)/.exec(readFileSync(hatchling, 'utf8')) ?? []
    // Without a pip of its own, which would take longer to install than all the rest: the system's works in it.
    await run(systems, ['-m', 'venv', '--without-pip', join(folder, 'environment')])
    const [install = ''] = examplesOf(README, 'sh')
    const [pack = '', add = ''] = install.replaceAll('/tmp', folder).split('\n')
    const pip = (options: string, more: string) => `pip() { ${systems} -m pip ${options} "$@" ${more}; }`
    await run('bash', ['-euc', `${pip('--quiet', '--no-build-isolation')}\n${pack}`], resolve('.'))
    await run('bash', ['-euc', `${pip(`--quiet --python ${python}`, '--no-index')}\n${add}`])
  })

  /** What a program printed, which must have ended well. */
  async function run(program: string, args: string[], cwd = folder, more: Env = {}): Promise<string> {
    const options = { cwd, env: { ...env, ...more }, timeout: 170_000 }
    const { stdout } = await promisify(execFile)(program, args, options).catch(error =>
      expect.unreachable(`${program} ${args.join(' ')}\n${error.stdout}\n${error.stderr}`),
    )
    return stdout
  }

  function written(name: string, text: string): string {
    writeFileSync(join(folder, name), text)
    return name
  }

  it('does the first session of its README, and all the rest of that, with the answers that it shows', async () => {
    const program = examplesOf(README, 'python').join('\n')
    const secret = newWebhookSecret()
    const body = JSON.stringify({ type: 'task.completed', data: { title: 'شراء الأثاث' } })
    const at = new Date()
    const headers = {
      'webhook-id': 'msg_1',
      'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
      'webhook-signature': new Reference(secret).sign('msg_1', at, body),
    }
    const delivery = `os.environ["WEBHOOK_SECRET"] = "${secret}"\nreceive(${JSON.stringify(headers)}, ${JSON.stringify(body)}.encode())\n`
    const shown = [...program.matchAll(/^# (.*)$/gm)].map(([, line]) => line)
    expect(shown).toHaveLength(11)
    const printed = (await run(python, [written('readme.py', `${program}\n${delivery}`)])).trimEnd().split('\n')
    expect(printed).toEqual([...shown, 'Completed: شراء الأثاث'])
  })

  it('has the version of the contract, depends on nothing, and does a whole workflow', async () => {
    const about =
      'from importlib.metadata import requires, version as v; print(v("diwan-client"), requires("diwan-client"))'
    expect(await run(python, ['-c', about])).toBe(`${CONTRACT_VERSION} None\n`)
    expect((await run(python, [resolve('clients/python/examples/workflow.py')])).trimEnd().split('\n')).toEqual([
      expect.stringMatching(/^Layla Haddad of Company /),
      "['شراء الكراسي', 'Order the desks']",
      "['Order the desks']",
      'Layla Haddad 1448-08-02',
      '412 precondition_failed',
      'True 1',
      "/Plans ['plan.md']",
      '1',
      'comment.created comment.updated discussion.created file.created folder.created task.completed task.created task.deleted task.updated task_list.created',
      'True',
      'True True',
    ])
  })

  const tests = readdirSync('clients/python/tests').filter(name => name.startsWith('test_'))

  it.each(tests)('passes its own tests in %s', async name => {
    // In a company of their own, whose feed has nothing else in it.
    const { id, key, ownerToken } = await server.diwan.company()
    const own = { DIWAN_KEY: key, DIWAN_TOKEN: ownerToken, DIWAN_COMPANY: String(id) }
    await run(python, ['-m', 'unittest', name.replace('.py', '')], resolve('clients/python/tests'), own)
  })

  it('goes on through a kill and a new start of the server, and does everything once', async () => {
    const program = `
import os, time
from diwan import Diwan

tries = []
with Diwan(os.environ["DIWAN_URL"], os.environ["DIWAN_KEY"], retry_for=150, on_retry=tries.append) as diwan:
    project = diwan.projects.create(name="Restart")
    tasks = diwan.projects.create_list(project["id"], title="Restart")
    made, left = 0, 5
    while left:
        diwan.lists.create_task(tasks["id"], title=f"Task {made}")
        made += 1
        left -= 1 if tries else 0
        print("made", flush=True)
        time.sleep(0.02)
    titles = [task["title"] for task in diwan.lists.tasks(tasks["id"])]
    print(titles == [f"Task {n}" for n in range(made)], flush=True)
`
    const child = spawn(python, [written('restart.py', program)], { cwd: folder, env, timeout: 170_000 })
    let printed = ''
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', text => {
        printed += text
      })
    const exited = new Promise<number | null>(done => child.once('close', done))
    await until(async () => printed.split('made').length > 3 || child.exitCode !== null)
    await server.end('SIGKILL')
    server = await serve({ ...settings, WORKER: 'off' })
    expect(await exited, printed).toBe(0)
    expect(printed.trimEnd().split('\n').at(-1)).toBe('True')
  })

  it('is typed: its sources, examples, tests and README pass mypy --strict as of Python 3.9', async () => {
    const files = ['src', 'examples', 'tests'].map(name => resolve('clients/python', name))
    const readme = written('typed.py', examplesOf(README, 'python').join('\n'))
    const check = [...MYPY, '--python-executable', python, '--cache-dir', join(folder, 'types')]
    await run(mypy, [...check, ...files.slice(0, 1)])
    await run(mypy, [...check, ...files.slice(1), readme])
  })

  it('does not let a program pass that names a field or a method wrongly', async () => {
    const wrong = `from diwan import Diwan
diwan = Diwan("http://127.0.0.1", "svc_api_1")
diwan.lists.create_task("lst-1", titel="")
diwan.lists.create_task("lst-1")
diwan.tasks.finish("tsk-1")
diwan.lists.update("lst-1", priority="highest")
diwan.lists.create_task("lst-1", title="", if_match="*")
title: int = diwan.tasks.get("tsk-1")["title"]
diwan.tasks.get("tsk-1")["titel"]
`
    const args = [...MYPY, '--python-executable', python, '--cache-dir', join(folder, 'types')]
    const { stdout } = await promisify(execFile)(mypy, [...args, written('wrong.py', wrong)], {
      cwd: folder,
      env,
    }).catch(error => error)
    const lines = [...String(stdout).matchAll(/^wrong\.py:(\d+): error/gm)].map(([, line]) => Number(line))
    expect([...new Set(lines)]).toEqual([3, 4, 5, 6, 7, 8, 9])
  })
})
