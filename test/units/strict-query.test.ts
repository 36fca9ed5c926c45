import Type from 'typebox'
import { describe, expect, it } from 'vitest'
import { AuditFilters } from '../../src/admin/audit-filters.ts'
import { ProjectFilters, TaskFilters } from '../../src/api/task-filters.ts'
import { type RawQuery, readQuery } from '../../src/http/requests/query.ts'

const asking = { params: {}, readCursor: () => null } as unknown as Parameters<typeof readQuery>[2]
const reading = (filters: Type.TProperties) => (query: RawQuery) =>
  readQuery({ name: 'test', query: Type.Object(filters), refusesQuery: true }, query, asking)
const tasks = reading({ ...TaskFilters, ...ProjectFilters })
const audit = reading(AuditFilters)

describe('A query that is read strictly', () => {
  it.each<[what: string, read: typeof tasks, query: RawQuery, refusal: string]>([
    [
      'an unknown choice',
      tasks,
      { sort: 'name' },
      'sort must be one of created, -created, due, -due, updated, -updated',
    ],
    ['a choice that is blank', audit, { outcome: ' ' }, "outcome can't be blank"],
    ['no date', tasks, { due_from: 'soon' }, 'due_from must be a date that exists, written YYYY-MM-DD'],
    [
      'a date that does not exist',
      tasks,
      { due_to: '2026-02-30' },
      'due_to must be a date that exists, written YYYY-MM-DD',
    ],
    ['no flag', tasks, { completed: 'yes' }, 'completed must be true or false'],
    ['no id', audit, { key_id: 'x' }, 'key_id must be an id'],
    ['a blank id', audit, { key_id: '' }, "key_id can't be blank"],
    ['no operation', audit, { operation: 'keys' }, 'operation must be an operation such as keys:write'],
    [
      'a long operation',
      audit,
      { operation: `${'a'.repeat(64)}:b` },
      'operation must be an operation such as keys:write',
    ],
    ['a long id', audit, { target_id: 'a'.repeat(65) }, 'target_id must be a ref or an id'],
    ['a blank time', audit, { from: '' }, "from can't be blank"],
    ['too many values', tasks, { project: Array(51).fill('a') }, 'project must not be given more than 50 times'],
    ['a blank value', tasks, { assignee_email: ['a@example.com', ' '] }, "assignee_email can't be blank"],
  ])('refuses %s', (_, read, query, refusal) => {
    expect(() => read(query)).toThrow(refusal)
  })

  it('reads what fits', () => {
    const read = { due_from: '2026-03-01', completed: true, sort: '-due', project: ['a', 'b'] }
    expect(tasks({ due_from: ' ٢٠٢٦-٠٣-٠١ ', completed: '1', sort: '-due', project: ['a', 'b'] })).toMatchObject(read)
    expect(audit({ operation: 'keys:write', by_kind: 'key', by_id: '7' })).toMatchObject({ by_id: 7, by_kind: 'key' })
  })
})
