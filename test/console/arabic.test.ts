import { expect, it } from 'vitest'
import { useFrameWords } from '../../console/src/frame/words.ts'
import { useServiceWords } from '../../console/src/views/service/words.ts'
import { useTrashWords } from '../../console/src/views/trash/words.ts'
import { type Look, signIn } from '../support/browser.ts'
import { newDiscussion, newList, newTask } from '../support/factories.ts'
import { OPERATOR_TOKEN } from '../support/server-process.ts'
import { describeConsoleWith } from '../support/site.ts'
import { leaveFailedJobs } from './left-jobs.ts'

const LOOK: Look = { language: 'ar', width: 1280, appearance: 'light' }
const t = useServiceWords.ar

describeConsoleWith(
  { env: { WORKER: 'off' }, prepare: env => leaveFailedJobs(env, ['connect ECONNREFUSED 127.0.0.1:25']) },
  'In Arabic, the console',
  site => {
    const enter = (path: string) => site.enter(OPERATOR_TOKEN, path, LOOK)

    it('shows what the server says in Arabic: why a job failed, and the health of each part', async () => {
      const { page, follow } = await enter('/jobs')
      const reference = page.getByRole('link', { name: useFrameWords.ar.reference })
      await expect.poll(() => reference.getAttribute('href')).toBe('/docs?lang=ar')
      await page.getByText('تعذّر إرسال إشعار بالبريد: رُفض الاتصال.').waitFor()
      await follow('/health')
      const row = page.getByRole('row').filter({ hasText: t.parts.mail.name })
      await row.getByText('غير مُعَدّ: تُحفظ الإشعارات ولا تُرسل بالبريد.').waitFor()
      await row.getByText('تُرسل بالبريد بعد ضبط').waitFor()
    })

    it('tells in the log of requests why they were refused, from right to left, also after the name of a field', async () => {
      const company = await site.server.diwan.company()
      await company.api.post('/projects', { project: { name: 'x' } })
      await company.api.post('/projects', { name: 'x', start_date: '1448-06-05' })
      const { page } = await enter(`/companies/${company.id}/requests`)
      const told = page.locator('td p bdi[dir="rtl"]')
      const wrapped = 'لا يجوز أن يكون فارغًا. يبدو أن الحقول مغلّفة داخل \u2068"project"\u2069، ومكانها المستوى الأعلى'
      await told.filter({ hasText: `\u2068name\u2069 ${wrapped}` }).waitFor()
      await told.filter({ hasText: '؛ تبدو 1448 سنة هجرية' }).waitFor()
    })

    it('describes the endpoints of the API in Arabic, and their names and values as they are', async () => {
      const company = await site.server.diwan.company()
      const { page } = await enter(`/companies/${company.id}/explorer?endpoint=createProject`)
      await page.locator('main').getByRole('heading', { name: 'إنشاء مشروع' }).waitFor()
      await page.locator('summary').getByText('المشاريع', { exact: true }).waitFor()
      const path = page.locator('main').getByText('/api/v1/projects', { exact: true })
      await expect.poll(() => path.getAttribute('dir')).toBe('ltr')
      await expect.poll(() => page.locator('main [lang="en"]').count()).toBe(0)
    })

    it('keeps a sentence in order whose name is of the other direction: the toast of a restored discussion', async () => {
      const company = await site.server.diwan.company()
      const project = await site.server.diwan.project(company)
      for (const language of ['en', 'ar'] as const) {
        const title = language === 'en' ? 'عنوان (2)' : 'Title (2)'
        const { id } = await newDiscussion(company, project.id, { title })
        await company.api.delete(`/discussions/${id}`)
        const seen = await site.visit({ ...LOOK, language })
        await signIn(seen, OPERATOR_TOKEN)
        await seen.open(`/companies/${company.id}/trash`)
        const words = useTrashWords[language]
        await seen.page.getByRole('button', { name: words.restore }).first().click()
        const toast = seen.page.locator('.toast bdi')
        // It stays for as long as it is pointed at.
        await toast.hover()
        await expect.poll(() => toast.textContent()).toBe(words.restored(title))
        // The sentence begins on the side from which it is read, and its full stop is at its other end.
        const [first, last] = await toast.evaluate(element => {
          const text = element.firstChild as Text
          const leftOf = (from: number) => {
            const range = document.createRange()
            range.setStart(text, from)
            range.setEnd(text, from + 1)
            return range.getBoundingClientRect().left
          }
          return [leftOf(1), leftOf(text.length - 1)]
        })
        expect((last as number) > (first as number)).toBe(language === 'en')
      }
    })

    it('writes dates with the name of the month, the Hijri date in brackets, and all numbers in the chosen digits', async () => {
      const company = await site.server.diwan.company({ name: 'نجد', time_zone: 'Asia/Riyadh' })
      await company.admin.patch('', { second_calendar: 'islamic-umalqura' })
      const list = await newList(company, (await site.server.diwan.project(company)).id)
      await newTask(company, list.id, { title: 'Order 12 desks', due_at: '2026-11-16' })
      const { page, open, follow, settled } = await enter(`/companies/${company.id}/tasks`)
      const shown = () => page.locator('time[datetime="2026-11-16"]').first().textContent()
      await expect.poll(shown).toBe('16 نوفمبر 2026 (6 جمادى الآخرة 1448 هـ)')

      await page.getByLabel(useFrameWords.ar.digits).selectOption('٠١٢')
      await settled()
      await expect.poll(shown).toBe('١٦ نوفمبر ٢٠٢٦ (٦ جمادى الآخرة ١٤٤٨ هـ)')
      await expect.poll(() => page.getByText('Order 12 desks').count()).toBeGreaterThan(0)

      // Sentences of the console and numbers too; codes stay as they are.
      await follow(`/companies/${company.id}`)
      const main = page.locator('main')
      await expect.poll(() => main.textContent()).toContain('٣٠ يومًا')
      await expect.poll(() => main.textContent()).not.toMatch(/[0-9]/)
      await follow('/health')
      await expect.poll(() => main.textContent()).toContain('١٠ ثوانٍ')

      await open(`/companies/${company.id}/tasks`)
      await expect.poll(shown).toContain('١٦ نوفمبر ٢٠٢٦')
      await page.getByLabel(useFrameWords.ar.language).selectOption('en')
      await settled()
      await expect.poll(shown).toMatch(/^16 Nov 2026/)
      await expect.poll(() => page.getByLabel(useFrameWords.en.digits).count()).toBe(0)
    })
  },
)
