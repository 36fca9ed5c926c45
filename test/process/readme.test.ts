import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { describeWith } from '../support/describe-with.ts'
import { documented } from '../support/documented.ts'
import { useReader } from '../support/reader.ts'

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

describeWith('curl', 'A reader of the README', () => {
  const reader = useReader()
  const { follow, settings, elsewhere } = reader

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

  const ARABIC = documented('README.ar.md', 'الجلسة الأولى')

  it.each([
    ['README', settings, blocks],
    ['README in Arabic', (ARABIC[0] ?? '').replace('export DIWAN_KEY=svc_api_…', ':'), ARABIC.slice(1)],
  ])(
    'The %s has a first session that works as it stands, with the answers that it shows',
    async (_, begin, session) => {
      const calls = callsIn(session)
      expect(calls.length).toBeGreaterThan(4)
      await followSession(calls, begin)
    },
  )

  it('The README leads to a program that creates a task, makes another key, and manages companies', async () => {
    const [install = '', start = ''] = blocks.filter(block => /npm pack|first-task/.test(block))
    const [program = ''] = documented('README.md', 'A first session', 'js')
    await follow(install)
    const folder = join(elsewhere, 'first-program')
    writeFileSync(join(folder, 'first-task.mjs'), program.replace('http://127.0.0.1:3000', reader.server.url))
    const created = await follow(start.replace('svc_api_…', reader.key), {}, folder)
    const withoutRef = (text: string) => text.replace(/tsk-\w+/, 'tsk-')
    expect(withoutRef(created)).toBe(withoutRef(start.match(/^# (.*)$/m)?.[1] as string))

    const [keys = ''] = blocks.filter(block => block.includes('npm run --silent key'))
    const made = (await follow(keys)).split('\n')
    expect(made).toEqual([expect.stringMatching(/^svc_api_\w+$/), expect.stringMatching(/^svc_api_\w+$/)])
    const [companies = ''] = blocks.filter(block => block.includes('/admin/v1/companies'))
    const told = (await follow(companies.replaceAll(/^curl/gm, 'echo; curl'))).split('\n').filter(Boolean)
    expect(told.map(line => JSON.parse(line).data)).toMatchObject([
      [{ name: 'Diwan Demo' }],
      { owner_token: expect.stringMatching(/^svc_/) },
    ])
  })
})
