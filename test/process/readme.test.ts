import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { documented } from '../support/documented.ts'
import { useReader } from '../support/reader.ts'

const reader = useReader()
const { follow, settings, elsewhere } = reader
const blocks = documented('README.md', 'A first session')

/** The calls of a session and, in the lines after each, the documented answer. */
const callsIn = (session: string[]) =>
  session
    .filter(block => /^api /m.test(block) && !block.includes('api()'))
    .join('\n')
    .split(/\n(?=api )/)
    .map(text => ({
      command: text.replaceAll(/^#.*\n?/gm, ''),
      answer: text.match(/^# (.*)$/m)?.[1] ?? '',
    }))

/** Makes the calls one after the other, and compares the answers with those that the document shows. */
async function followSession(calls: ReturnType<typeof callsIn>, begin: string): Promise<void> {
  const refs = new Map<string, string>()
  const known = (text: string) => [...refs].reduce((done, [shown, actual]) => done.replaceAll(shown, actual), text)
  for (const { command, answer } of calls) {
    const actual = await follow(`${begin}\n${known(command)}`)
    const [shownRef, actualRef] = [answer, actual].map(text => text.match(/"(?:id|ref)":"([a-z]{3}-\w+)"/)?.[1])
    if (shownRef && actualRef) refs.set(shownRef, actualRef)
    // The documented answers are shortened, and numbers and times differ each time.
    const shown = JSON.parse(known(answer).replaceAll(',…', ''), (name, value) =>
      (name === 'id' && typeof value === 'number') || /^\d{4}-\d\d-\d\dT/.test(value) ? expect.anything() : value,
    )
    expect(JSON.parse(actual), command).toMatchObject(shown)
  }
}

describe('The README in Arabic', () => {
  const [begin = '', ...session] = documented('README.ar.md', 'الجلسة الأولى')

  it('has a first session that works as it stands, with the answers that it shows', async () => {
    const calls = callsIn(session)
    expect(calls.length).toBe(5)
    await followSession(calls, begin.replace('export DIWAN_KEY=svc_api_…', ':'))
  })

  it('starts Diwan as the English one does, and leads to what is there', async () => {
    expect(documented('README.ar.md', 'البداية')).toEqual(documented('README.md', 'Start').slice(0, 1))
    const text = readFileSync('README.ar.md', 'utf8')
    for (const [, address = ''] of text.matchAll(/`http:\/\/127\.0\.0\.1:3000(\/\S+)`/g))
      expect([address, (await fetch(reader.server.url + address)).status]).toEqual([address, 200])
    for (const [, file = ''] of text.matchAll(/\]\(([^)]+)\)/g)) expect([file, existsSync(file)]).toEqual([file, true])
  })

  it('is written from right to left, and its code from left to right', () => {
    const [, ...parts] = readFileSync('README.ar.md', 'utf8').split('<div dir="rtl">\n')
    for (const part of parts) {
      const [inside = '', outside = ''] = part.split('\n</div>\n')
      expect(inside).not.toContain('```')
      expect(outside.replaceAll(/^```sh\n.*?^```$/gms, '').trim()).toBe('')
    }
  })
})

describe('The README', () => {
  it('has a first session that works as it stands, with the answers that it shows', async () => {
    const calls = callsIn(blocks)
    expect(calls.length).toBe(9)
    await followSession(calls, settings)
  })

  it('leads to a program that creates a task', async () => {
    const [install = '', start = ''] = documented('README.md', 'A first session').filter(block =>
      /npm pack|first-task/.test(block),
    )
    const [program = ''] = documented('README.md', 'A first session', 'js')
    await follow(install)
    const folder = join(elsewhere, 'first-program')
    writeFileSync(join(folder, 'first-task.mjs'), program.replace('http://127.0.0.1:3000', reader.server.url))
    const created = await follow(start.replace('svc_api_…', reader.key), {}, folder)
    const shown = start.match(/^# (.*)$/m)?.[1] as string
    const withoutRef = (text: string) => text.replace(/tsk-\w+/, 'tsk-')
    expect(withoutRef(created)).toBe(withoutRef(shown))
    const task = (await reader.server.diwan.api(reader.key).get(`/tasks/${created.split(' ')[1]}`)).body.data
    expect(task).toMatchObject({ title: 'كتابة الصفحة الأولى', due_at: '2027-02-01' })
  })

  it('makes another key, and manages companies', async () => {
    const [keys = ''] = blocks.filter(block => block.includes('npm run --silent key'))
    const made = (await follow(keys)).split('\n')
    expect(made).toEqual([expect.stringMatching(/^svc_api_\w+$/), expect.stringMatching(/^svc_api_\w+$/)])
    const [companies = ''] = blocks.filter(block => block.includes('/admin/v1/companies'))
    const [list, created] = (await follow(companies.replaceAll(/^curl/gm, 'echo; curl'))).split('\n').filter(Boolean)
    expect(JSON.parse(list as string).data).toMatchObject([{ name: 'Diwan Demo' }])
    expect(JSON.parse(created as string).data).toMatchObject({ owner_token: expect.stringMatching(/^svc_/) })
  })
})
