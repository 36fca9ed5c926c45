import { expect, it } from 'vitest'
import { useApp } from '../support/app.ts'

const app = useApp({ publicUrl: 'https://diwan.example.com/office' })

it('The link to the next page begins with the public address, where there is one', async () => {
  const company = await app.diwan.company()
  for (let n = 0; n < 2; n++) await app.diwan.project(company)
  const path = '/projects?include_archived=true&limit=1'
  const { headers, body } = await company.api.get(path)
  const next = `https://diwan.example.com/office/api/v1${path}&cursor=${body.meta.next_cursor}`
  expect(headers.get('link')).toBe(`<${next}>; rel="next"`)
})
