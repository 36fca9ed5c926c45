import { expect, it } from 'vitest'
import { missingCompany } from '../../build/named-companies.ts'

const places = ['src/api/anywhere.ts:1:1']

it.each([
  ['select id from tasks where id = $1', 'names no company'],
  ['update tasks t set title = $1 where t.id = $2', 'names no company'],
  [
    'select t.id from tasks t join projects p on p.id = t.project_id where t.company_id = $1',
    'does not say of which company it wants projects',
  ],
  ['select id from tasks where company_id = $1 and id = $2', undefined],
  ['select t.id from tasks t join projects p on p.company_id = t.company_id where t.company_id = $1', undefined],
  ['select id from app_clients where company_id = 0 and id = $1', undefined],
  ['select name from companies c where c.id = $1', undefined],
  ['select now()', undefined],
])('A statement is found to name its company or not: %s', (text, missing) => {
  expect(missingCompany({ text, places })).toBe(missing)
})

it('A statement may lack its company only in the file that is on the list', () => {
  const text = 'select id, name from personal_tokens where digest = $1'
  expect(missingCompany({ text, places: ['src/admin/new-session.ts:1:1'] })).toBeUndefined()
  expect(missingCompany({ text, places })).toBe('names no company')
})
