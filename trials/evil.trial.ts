import { describe, expect, it } from 'vitest'
import { plainNumber } from '../src/lib/digits.ts'
import { ENGINES, useServerOn } from '../test/support/both-engines.ts'
import { longestStretchMs, ranMs, tellsItsStretches } from '../test/support/busy-thread.ts'
import type { Answer } from '../test/support/diwan.ts'
import { type Evil, evilRequest, furnishForEvil, sendAsItIs, textOf } from '../test/support/evil-requests.ts'
import { EVIL_JSON, EVIL_PARTS, EVIL_TEXTS, REPEATED, UNEXPECTED } from '../test/support/evil-values.ts'
import { ELSEWHERE, ENDING } from '../test/support/fuzzed-requests.ts'
import { type DescribedOperation, operationsOf, type Slot } from '../test/support/operation-slots.ts'
import { random, shuffled } from '../test/support/random.ts'
import { OPERATOR_TOKEN } from '../test/support/server-process.ts'
import { rounds, tell } from '../test/support/trial.ts'

/** In the short form some places are drawn; in the long form each of them gets a value. Another seed draws others. */
const IS_LONG = rounds(0, 1) === 1
const VALUES = 300
const REPETITIONS = 40
/** A thread that runs for longer without a pause keeps everybody else waiting. */
const BUSY_MS = 50
const ORDINARY_BYTES = 1_000_000
const UPLOADED_BYTES = 30_000_000
const IN_AN_ADDRESS = 12_000
/** So much may still be read at once, or not any more: it has few keys, entries and brackets, but every character is looked at. */
const MIDDLING_BYTES = [1_040_000, 2_000_000, 4_000_000]
const FURNISHED_FOR = 500
const DAY_MS = 86_400_000

type Operation = DescribedOperation & { prefix: string }
const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T
const described = (file: string, prefix: string): Operation[] =>
  operationsOf(file).flatMap(one => (ELSEWHERE.test(one.id) ? [] : [{ ...one, prefix }]))
const OPERATIONS = [...described('openapi.json', '/api/v1'), ...described('openapi-admin.json', '/admin/v1')]

interface Trick {
  operation: Operation
  slot: Slot
  evil: Evil
}
type EvilsFor = (operation: Operation, slot: Slot) => Evil[]

/** What is worth putting into a place. */
function values(_: Operation, slot: Slot): Evil[] {
  if (slot.in === 'header') return EVIL_TEXTS.map(text => ({ text: text.slice(0, 8_000) }))
  if (slot.in !== 'body') return EVIL_PARTS.map(part => ({ part }))
  return [...EVIL_TEXTS.map(text => ({ text })), ...EVIL_JSON.map(json => ({ json }))]
}

/** As many of a character as there is room for, and one that nothing expects. */
function repetitions({ id }: Operation, slot: Slot): Evil[] {
  const inBody = /^upload/.test(id) ? UPLOADED_BYTES : ORDINARY_BYTES
  return REPEATED.map(piece => {
    const bytes = slot.in === 'body' ? Buffer.byteLength(JSON.stringify(piece)) - 2 : encodeURIComponent(piece).length
    const room = slot.in === 'body' ? inBody : IN_AN_ADDRESS
    return { repeated: piece, times: Math.floor(room / bytes), last: pick(UNEXPECTED) }
  })
}

/** Any place of any operation: most often in a body, where there are the most kinds of them. */
function anyTrick(evilsFor: EvilsFor): Trick {
  const operation = pick(OPERATIONS)
  const place = pick(['body', 'body', 'body', 'query', 'path', 'header'])
  const slots = operation.slots.filter(slot => slot.in === place)
  if (slots.length === 0) return anyTrick(evilsFor)
  const slot = pick(slots)
  return { operation, slot, evil: pick(evilsFor(operation, slot)) }
}

/** Every place of every operation, with something that is worth putting there. */
const everyPlace = (evilsFor: EvilsFor): Trick[] =>
  OPERATIONS.flatMap(operation =>
    operation.slots.map(slot => ({ operation, slot, evil: pick(evilsFor(operation, slot)) })),
  )

/** The largest of all, which any run should try. */
function upload(evilsFor: EvilsFor): Trick[] {
  const isContent = (slot: Slot) => slot.in === 'body' && slot.at[0] === 'content_base64'
  const all = OPERATIONS.flatMap(operation => operation.slots.filter(isContent).map(slot => ({ operation, slot })))
  return all.map(place => ({ ...place, evil: pick(evilsFor(place.operation, place.slot)) }))
}

/** Uploads which neither their size nor the number of their parts gives away. */
function middling(): Trick[] {
  const isContent = (slot: Slot) => slot.in === 'body' && /^content/.test(String(slot.at[0]))
  const operation = pick(OPERATIONS.filter(({ id, slots }) => /^upload/.test(id) && slots.some(isContent)))
  const evilsOf = (bytes: number): Evil[] => [
    { json: `${' '.repeat(bytes)}"QQ=="` },
    { repeated: 'م', times: bytes / 2, last: '' },
    { repeated: 'QUJD', times: bytes / 4, last: '' },
  ]
  const evils = MIDDLING_BYTES.flatMap(evilsOf)
  return operation.slots.filter(isContent).flatMap(slot => evils.map(evil => ({ operation, slot, evil })))
}

/** In the order that the seed draws, so that what one of them removes is not missing for all that follow. */
function tricks(some: number, evilsFor: EvilsFor): Trick[] {
  const drawn = IS_LONG ? everyPlace(evilsFor) : Array.from({ length: some }, () => anyTrick(evilsFor))
  return shuffled([...drawn, ...upload(evilsFor)])
}

/** What was accepted, as it is told at the same place of the answer; undefined where the answer does not have it. */
function givenBack({ status, body }: Answer, slot: Slot): unknown {
  if (status >= 300 || slot.in !== 'body') return undefined
  return slot.at.reduce((found: unknown, step) => (found as Record<string, unknown> | null)?.[step], body?.data)
}

/** How an answer should tell a text. A date or a time can be written in several ways, and is told in one. */
function toldAs(slot: Slot, text: string): unknown {
  const shownAs = slot.in === 'body' ? slot.shownAs : undefined
  if (shownAs === 'date') return plainNumber(text)
  return shownAs === 'date-time' ? expect.toSatisfy((given: string) => isSameTime(given, plainNumber(text))) : text
}

/** What has no offset was meant in the zone of the company, which is less than a day from any other. */
function isSameTime(given: string, sent: string): boolean {
  const offMs = Math.abs(Date.parse(given) - Date.parse(sent))
  return /T.+(Z|[+-]\d\d:\d\d)$/.test(given) && (/T.+(Z|[+-]\d\d:\d\d)$/.test(sent) ? offMs === 0 : offMs < DAY_MS)
}

describe.each(ENGINES)('What people send who mean harm, on %s', engine => {
  const settings = { WORKER: 'off', ...tellsItsStretches() }
  const using = useServerOn(engine, () => settings)

  /** For how long a call kept everybody else waiting. What a collection of garbage adds to one call, it does not add to all. */
  async function ask(send: (attempt: number) => Promise<Answer>): Promise<{ answer: Answer; busyMs: number }> {
    const once = async (attempt: number) => {
      const before = ranMs(using.server)
      const answer = await send(attempt)
      const inAllMs = ranMs(using.server) - before
      const busyMs = inAllMs < BUSY_MS ? inAllMs : await longestStretchMs(using.server, settings, before)
      return { answer, busyMs }
    }
    let { answer, busyMs } = await once(0)
    for (let attempt = 1; attempt < 5 && busyMs > BUSY_MS && answer.status < 500; attempt++) {
      const again = await once(attempt)
      busyMs = Math.min(busyMs, again.busyMs)
      if (again.answer.status >= 500) answer = again.answer
    }
    return { answer, busyMs }
  }

  async function sendAll(tricks: Trick[]) {
    const statuses = new Map<number, number>()
    let [longestMs, comparedTexts] = [0, 0]
    let furnished = await furnishForEvil(using.server.diwan)
    for (const [n, { operation, slot, evil }] of tricks.entries()) {
      const { ownerToken, key } = furnished.company
      const isForOwners = operation.path.includes('/records') || random() < 0.5
      const token = operation.prefix === '/api/v1' ? key : isForOwners ? ownerToken : OPERATOR_TOKEN
      const request = evilRequest(operation, slot, evil, operation.prefix, furnished)
      // The bytes of a request with a name are compared with those of others. Each attempt has its own, so that it is no repeat.
      const isNamed = operation.id === 'uploadFile' && request.headers['idempotency-key'] === undefined
      const named = (attempt: number) => {
        const name = { 'idempotency-key': `Upload ${n}, attempt ${attempt}` }
        return isNamed ? { ...request, headers: { ...request.headers, ...name } } : request
      }
      const what = `${operation.id} ${JSON.stringify(slot)} ${JSON.stringify(evil).slice(0, 200)}`

      const { answer, busyMs } = await ask(attempt => sendAsItIs(using.server.url, named(attempt), token))
      // A million expectations would take longer than what they expect.
      if (answer.status >= 500) expect.fail(`${what}: ${answer.status} ${JSON.stringify(answer.body)}`)
      if (busyMs > BUSY_MS) expect.fail(`${what}: keeps everybody waiting for ${Math.round(busyMs)} ms`)
      longestMs = Math.max(longestMs, busyMs)
      statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1)

      const given = givenBack(answer, slot)
      const isText = 'text' in evil || 'repeated' in evil
      if (isText && typeof given === 'string') {
        comparedTexts++
        const expected = toldAs(slot, textOf(evil))
        expect(given, what).toEqual(expected)
        if (operation.method === 'PATCH') {
          const again = await sendAsItIs(using.server.url, { ...request, method: 'GET', body: undefined }, token)
          if (again.status === 200) expect(givenBack(again, slot), `${what}, read again`).toEqual(expected)
        }
      }
      const isWithoutCredential = slot.in === 'header' && slot.name === 'authorization'
      const hasEnded = answer.status === 401 ? !isWithoutCredential : answer.status < 300 && ENDING.test(operation.id)
      if (hasEnded || n % FURNISHED_FOR === FURNISHED_FOR - 1) furnished = await furnishForEvil(using.server.diwan)
    }
    const figures = { requests: tricks.length, 'longest in ms': longestMs, 'texts given back': comparedTexts }
    return { ...figures, ...Object.fromEntries([...statuses].sort(([a], [b]) => a - b)) }
  }

  it('is refused or given back as it came, and soon', async () => {
    const figures = await sendAll(tricks(VALUES, values))
    tell('evil', { engine, ...figures })
    expect(figures['texts given back']).toBeGreaterThan(0)
  }, 7_200_000)

  it('takes no longer when it is repeated for as long as there is room', async () => {
    tell('evil, repeated', { engine, ...(await sendAll([...middling(), ...tricks(REPETITIONS, repetitions)])) })
  }, 7_200_000)
})
