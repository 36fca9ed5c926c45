import { describe, expect, it } from 'vitest'
import { missingCompany } from '../build/named-companies.ts'
import { useEverything } from '../test/rounds/everything-used.ts'
import { ENGINES } from '../test/support/both-engines.ts'
import {
  askCatalog,
  crosses,
  KEYS_WITHOUT_COMPANY,
  REFERENCES,
  type Reference,
  WITHOUT_COMPANY,
  WITHOUT_PRIMARY_KEY,
} from '../test/support/company-first.ts'
import { serveWatched } from '../test/support/sent-statements.ts'
import { rounds, tell } from '../test/support/trial.ts'

const REQUESTS = rounds(150, 20_000)

describe.each(ENGINES)('What belongs to a company, on %s,', engine => {
  it(`is kept under it, and asked for by it in every statement of ${REQUESTS} requests`, async () => {
    const { server, sent, places, open } = await serveWatched(engine, { ALLOW_PRIVATE_WEBHOOKS: 'on' })
    const { answered } = await useEverything(server.diwan, REQUESTS)
    await server.end('SIGTERM')
    const [texts, placesOf] = [[...sent().keys()], places()]
    const faults = texts.flatMap(text => {
      // What no source has put together is the text of a library, and of no place.
      const missing = missingCompany({ text, places: placesOf.get(text) ?? ['a library'] })
      return missing === undefined ? [] : [`${missing}: ${text.replace(/\s+/g, ' ').slice(0, 1_000)}`]
    })
    tell('tenant', { engine, requests: REQUESTS, answered, statements: texts.length, faults: faults.length })
    expect(texts.length).toBeGreaterThan(300)
    expect(faults).toEqual([])

    const { pool, close } = await open()
    for (const query of [WITHOUT_COMPANY, WITHOUT_PRIMARY_KEY, KEYS_WITHOUT_COMPANY])
      expect(await askCatalog(pool, query)).toEqual([])
    expect((await askCatalog<Reference>(pool, REFERENCES)).filter(crosses)).toEqual([])
    await close()
  })
})
