import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { ACTS } from '../rounds/model.ts'

interface Operation {
  operationId: string
}

it('The model of the API has a command for every operation that writes', () => {
  const { paths } = JSON.parse(readFileSync('openapi.json', 'utf8'))
  const methods = Object.values(paths as Record<string, Record<string, Operation>>).flatMap(path =>
    Object.entries(path),
  )
  const writes = methods.flatMap(([method, { operationId }]) =>
    ['post', 'put', 'patch', 'delete'].includes(method) ? [operationId] : [],
  )
  // A command draws which of two addresses it uses, and the operation at the nested one is named after the other.
  expect(Object.keys(ACTS).sort()).toEqual([...new Set(writes.map(name => name.replace(/InProject$/, '')))].sort())
})
