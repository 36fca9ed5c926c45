import { expect, it } from 'vitest'
import { missingCompany } from '../../build/named-companies.ts'

it('A statement that does not name its company, or that of a table in it, is found', () => {
  const joined = 'select t.id from tasks t join projects p on p.id = t.project_id where t.company_id = $1'
  for (const [text, missing] of [
    ['update tasks t set title = $1 where t.id = $2', 'names no company'],
    [joined, 'does not say of which company it wants projects'],
    [joined.replace('p.id', 't.company_id = p.company_id and p.id'), undefined],
    ['select name from companies c where c.id = $1', undefined],
    ['select now()', undefined],
  ])
    expect([text, missingCompany({ text: text as string, places: ['src/api/anywhere.ts:1:1'] })]).toEqual([
      text,
      missing,
    ])
})
