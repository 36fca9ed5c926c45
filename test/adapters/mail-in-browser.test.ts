import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { NOTIFICATION_KINDS } from '../../src/domain/people/notifications.ts'
import { composeNotification, type NotificationFacts } from '../../src/jobs/mail/text.ts'
import { launchBrowser } from '../support/browser.ts'
import { describeWith } from '../support/describe-with.ts'

/** What the sentence of a mail is made of, and how it must stand on the screen from left to right. */
const SENTENCES: [language: 'en' | 'ar', facts: Partial<NotificationFacts>, seen: string][] = [
  ['ar', { actor: 'Layla [HQ]', title: '(2) Site "x"' }, '. » (2) Site "x" « : Layla [HQ] من'],
  ['ar', { actor: 'Mallory\u202d', title: 'Pay \u202enow (1)' }, '. » Pay now (1) « : Mallory من'],
  ['ar', { actor: 'ليلى', title: '2026/1 - 5' }, '. » 2026/1 - 5 « : ليلى من'],
  ['en', { actor: 'ليلى', title: 'زيارة (2) "x"' }, 'ليلى started “ "x" (2) زيارة ” .'],
  ['en', { actor: '(ليلى)', title: 'زيارة [1]', project: 'نقل 2' }, '(ليلى) started “ [1] زيارة ” in 2 نقل .'],
  ['en', { actor: 'Mallory\u202e', title: 'Pay \u202enow' }, 'Mallory started “ Pay now ” .'],
]

describeWith('chromium', 'In a browser', () => {
  let browser: Browser
  let page: Page

  beforeAll(async () => {
    browser = await launchBrowser()
    page = await browser.newPage({ viewport: { width: 1600, height: 600 } })
  })
  afterAll(() => browser?.close())

  it.each(SENTENCES)('a mail reads right, as HTML and as text: %s %j', async (language, facts, seen) => {
    const blank = { kind: 'discussion_created' as const, name: 'Omar', title: '', actor: '', project: null }
    const { html, text } = composeNotification({ ...blank, language, ...facts })
    await page.setContent(html)
    expect(await fromLeftToRight(page, 'p:nth-of-type(2)', seen)).toBe(seen)
    // As a program shows plain text that finds the direction of each line.
    const lines = text.split('\n').map(line => `<p dir="auto">${line.replaceAll('<', '&lt;')}</p>`)
    await page.setContent(lines.join(''))
    expect(await fromLeftToRight(page, 'p:nth-of-type(3)', seen)).toBe(seen)
  })

  it.each(['en', 'ar'] as const)(
    'no mail is wider than a telephone, and a code is read from the left: %s',
    async language => {
      const code = `svc_inv_${'0123456789abcdef'.repeat(4)}`
      await page.setViewportSize({ width: 390, height: 600 })
      for (const kind of [...NOTIFICATION_KINDS.filter(kind => kind !== 'invitation'), 'invitation' as const]) {
        const people = { name: 'Omar', actor: 'Layla', project: null, public_url: 'https://diwan.example' }
        const facts = { kind, language, ...people, title: 'x'.repeat(200), code: kind === 'invitation' ? code : null }
        await page.setContent(composeNotification(facts).html)
        expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
      }
      const block = page.getByText(code)
      expect(await block.evaluate(element => getComputedStyle(element).direction)).toBe('ltr')
      expect((await block.boundingBox())?.height).toBeGreaterThan(60)
      await page.setViewportSize({ width: 1600, height: 600 })
    },
  )
})

/** The words of a line, each of which stands in it once, as they are on the screen. */
async function fromLeftToRight(page: Page, selector: string, words: string): Promise<string> {
  const placed = await page.locator(selector).evaluate((element, words) => {
    const { ownerDocument: document, textContent } = element
    const letters: { node: Text; offset: number }[] = []
    const texts = document.createTreeWalker(element, 4)
    while (texts.nextNode()) {
      const node = texts.currentNode as Text
      for (let offset = 0; offset < node.length; offset++) letters.push({ node, offset })
    }
    return words.map(word => {
      const start = textContent.indexOf(word)
      const [first, last] = [letters[start], letters[start + word.length - 1]] as [
        (typeof letters)[0],
        (typeof letters)[0],
      ]
      const range = document.createRange()
      range.setStart(first.node, first.offset)
      range.setEnd(last.node, last.offset + 1)
      return { word, left: range.getBoundingClientRect().left }
    })
  }, words.split(' '))
  return placed
    .sort((one, other) => one.left - other.left)
    .map(({ word }) => word)
    .join(' ')
}
