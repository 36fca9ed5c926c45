import { expect, it } from 'vitest'
import { eachHost } from '../../src/lib/each-host.ts'

it.each([
  ['postgres://db/diwan', ['postgres://db/diwan']],
  [
    'postgres://u:p@db-1:5432,db-2/diwan?a=b,c@d',
    ['postgres://u:p@db-1:5432/diwan?a=b,c@d', 'postgres://u:p@db-2/diwan?a=b,c@d'],
  ],
  ['postgres://[::1]:1,[::2]', ['postgres://[::1]:1', 'postgres://[::2]']],
  ['postgres:///diwan?host=/run/postgresql', ['postgres:///diwan?host=/run/postgresql']],
])('%s names each of its hosts', (url, urls) => {
  expect(eachHost(url)).toEqual(urls)
})
