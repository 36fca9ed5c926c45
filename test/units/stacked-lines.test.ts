import { expect, it } from 'vitest'
import { drawnLines, type Line } from '../../console/src/parts/chart-drawing.ts'

const line = (label: string, values: number[], as: Line['as']): Line => ({ label, values, colour: 'accent', as })

it('A stacked line stands on the one before it, and is drawn before it is covered', () => {
  const lines = [line('a', [1, 2], 'stacked bars'), line('b', [3, 0], 'stacked bars'), line('limit', [9, 9], 'line')]
  expect(drawnLines(lines).map(({ label, values }) => [label, values])).toEqual([
    ['b', [4, 2]],
    ['a', [1, 2]],
    ['limit', [9, 9]],
  ])
})
