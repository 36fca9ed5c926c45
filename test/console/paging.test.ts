import { expect, it } from 'vitest'
import { useCommonWords } from '../../console/src/words/common.ts'
import { created } from '../support/diwan.ts'
import { describeConsoleWith } from '../support/site.ts'

const FILES = 60
const nameOf = (n: number) => `notes-${String(n).padStart(2, '0')}.md`

// Nothing is scanned, so the list of scans asks again all the time.
describeConsoleWith({ env: { WORKER: 'off' } }, 'A list in the console that is longer than a page', site => {
  it('keeps what was added to it when it is asked for again: what is new comes, and what was deleted goes', async () => {
    const company = await site.server.diwan.company()
    const project = await site.server.diwan.project(company)
    const add = (n: number) =>
      created(company.api.post(`/projects/${project.id}/files`, { name: nameOf(n), content: `# ${n}` }))
    const refs: string[] = []
    for (let n = 1; n <= FILES; n++) refs.push((await add(n)).data.ref)

    const { page } = await site.enter(company.ownerToken, `/companies/${company.id}/scans`)
    const names = () =>
      page
        .locator('td.main-cell')
        .evaluateAll(cells => cells.map(cell => cell.textContent?.match(/notes-\d+\.md/)?.[0]))
    const expected = (from: number, to: number) => Array.from({ length: from - to + 1 }, (_, n) => nameOf(from - n))
    await expect.poll(names).toEqual(expected(FILES, 11))
    await page.getByRole('button', { name: useCommonWords.en.more }).click()
    await expect.poll(names, { timeout: 30_000 }).toEqual(expected(FILES, 1))

    await add(FILES + 1)
    expect((await company.api.delete(`/files/${refs[1]}`)).status).toBe(200)
    await expect.poll(names, { timeout: 60_000 }).toEqual([...expected(FILES + 1, 3), nameOf(1)])
    // And when a filter makes it another list, it begins with its first page.
    await page.getByLabel(useCommonWords.en.state, { exact: true }).selectOption('pending')
    await expect.poll(names, { timeout: 60_000 }).toEqual(expected(FILES + 1, 12))
  })
})
