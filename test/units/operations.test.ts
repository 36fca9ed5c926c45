import { expect, it } from 'vitest'
import { LEVELS, levelOf, OPERATIONS, resourceOf } from '../../src/domain/access/operations.ts'

it('The name of an operation is its resource and its level', () => {
  expect([resourceOf('task_lists:write'), levelOf('task_lists:write')]).toEqual(['task_lists', 'write'])
  for (const operation of OPERATIONS) {
    expect(`${resourceOf(operation)}:${levelOf(operation)}`).toBe(operation)
    expect(LEVELS).toContain(levelOf(operation))
  }
})
