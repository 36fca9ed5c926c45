import { expect, it } from 'vitest'
import { INSTANT, newDiscussion } from '../support/factories.ts'
import { startMailServer } from '../support/mail-server.ts'
import { embedded, serve } from '../support/server-process.ts'
import { until } from '../support/servers.ts'

// test/admin/mail.test.ts proves what happens when the mail server fails.
it('Mail arrives in the language of each person, as text and HTML, leads to the console, and is noted', async () => {
  const mail = await startMailServer({ passingOverInvitations: true })
  const PUBLIC_URL = 'https://diwan.example.com/pm'
  const settings = { SMTP_URL: mail.url, MAIL_FROM: 'Diwan <diwan@example.com>', PUBLIC_URL: `${PUBLIC_URL}/` }
  const { diwan, end } = await serve({ ...embedded(), ...settings })
  const company = await diwan.company()
  const omar = await diwan.person(company.id, { name: 'Omar Aziz' })
  const sara = await diwan.person(company.id, { name: 'سارة القحطاني', language: 'ar' })
  const project = await diwan.project(company, { name: 'نقل <المكتب>' })
  const title = 'Moving day: "يوم" & <more> 🚀'
  const { id } = await newDiscussion(company, project.id, { title })
  await until(async () => mail.received.length === 2)
  expect(mail.received.flatMap(({ to }) => to).sort()).toEqual([omar.email, sara.email].sort())
  for (const [person, subject, greeting, direction] of [
    [omar, `New discussion: \u2068${title}\u2069`, 'Hello', 'ltr'],
    [sara, `نقاش جديد: \u2068${title}\u2069`, 'مرحبًا', 'rtl'],
  ]) {
    const received = mail.received.find(({ to }) => to[0] === person.email)
    expect(received?.headers).toMatchObject({
      subject,
      from: 'Diwan <diwan@example.com>',
      to: person.email,
      'content-type': expect.stringMatching(/^multipart\/alternative/),
    })
    for (const words of [person.name, company.owner.name, title, 'نقل <المكتب>'])
      expect(received?.text).toContain(`\u2068${words}\u2069`)
    const place = `/console/companies/${company.id}/projects/${project.id}/discussions/${id}#language=`
    expect(received?.text).toContain(PUBLIC_URL + place)
    expect(received?.html).toContain(`dir="${direction}"`)
    expect(received?.html).toContain(`${greeting} <bdi>${person.name}</bdi>`)
    expect(received?.html).not.toMatch(/<more>|<المكتب>/)
  }
  const newest = async () => (await company.admin.get('/notifications?limit=2')).body.data
  await until(async () => (await newest()).every(({ emailed_at }: { emailed_at: unknown }) => emailed_at !== null))
  expect(await newest()).toMatchObject(Array(2).fill({ kind: 'discussion_created', emailed_at: INSTANT }))
  await end('SIGTERM')
})
