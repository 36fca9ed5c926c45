import { beforeAll, describe, expect, it } from 'vitest'
import { useApp } from '../support/app.ts'
import type { TestCompany } from '../support/diwan.ts'

const app = useApp()
const ARABIC = { 'accept-language': 'ar-SA, en;q=0.5' }
const JSON_BODY = { 'content-type': 'application/json' }

let company: TestCompany
beforeAll(async () => {
  company = await app.diwan.company()
})

const post = (path: string, body: unknown, headers = {}) =>
  company.api.send('POST', path, { body: JSON.stringify(body), headers: { ...JSON_BODY, ...ARABIC, ...headers } })

describe('A refusal of the API', () => {
  it('is in Arabic where that is preferred, in English otherwise, and says so', async () => {
    for (const [accepted, language, message] of [
      ['ar-SA, en;q=0.5', 'ar', 'لم يُعثر على السجل.'],
      ['fr', 'en', 'The record was not found.'],
    ] as const) {
      const { headers, body } = await company.api.get('/projects/missing', { 'accept-language': accepted })
      expect(body).toEqual({ error: { code: 'not_found', message } })
      expect(headers.get('content-language')).toBe(language)
      expect(headers.get('vary')).toMatch(/(^|, )Accept-Language(,|$)/)
    }
    const { headers } = await company.api.get('/me', ARABIC)
    expect(headers.get('content-language')).toBeNull()
    expect(headers.get('vary') ?? '').not.toMatch(/Accept-Language/)
  })

  it('names each field as it is written, isolated', async () => {
    const { status, body } = await post('/projects', { is_public: 'yes', start_date: '1448-01-01' })
    expect(status).toBe(422)
    expect(body.error.code).toBe('unprocessable_entity')
    expect(body.error.message).toBe(
      '\u2068name\u2069 لا يجوز أن يكون فارغًا؛ \u2068is_public\u2069 يجب أن يكون \u2068true\u2069 أو \u2068false\u2069؛ ' +
        '\u2068start_date\u2069 يجب أن يكون تاريخًا ميلاديًّا بين سنتي 1900 و9999؛ تبدو 1448 سنة هجرية',
    )
  })

  it('without a record is in Arabic too, with the words of nobody else', async () => {
    const send = (body: string) => company.api.send('POST', '/projects', { body, headers: { ...JSON_BODY, ...ARABIC } })
    expect((await send('{')).body.error.message).toBe('\u2068body\u2069 يجب أن يكون \u2068JSON\u2069 صالحًا')
    const { status, body } = await app.diwan.api().get('/me', ARABIC)
    expect([status, body.error.message]).toEqual([
      401,
      'مفتاح \u2068API\u2069 مفقود أو غير صالح. صيغة إرساله: \u2068Authorization: Bearer <key>\u2069',
    ])
    expect((await company.api.get('/nothing', ARABIC)).body.error).toEqual({
      code: 'unknown_endpoint',
      message: 'لا توجد نقطة اتصال للطلب \u2068GET /api/v1/nothing\u2069.',
      path: '/api/v1/nothing',
    })
  })
})

describe('The administration surface', () => {
  it('says in Arabic for whom a thing is', async () => {
    const member = await app.diwan.person(company.id)
    const { status, body } = await member.admin.get('/keys', ARABIC)
    expect([status, body.error.message]).toEqual([403, 'هذا مقصور على من يديرون مفاتيح \u2068API\u2069.'])
  })

  it('gives a new person the language of the company, unless another is chosen', async () => {
    const own = await app.diwan.company({ language: 'ar' })
    const add = (email: string, more = {}) =>
      own.admin.post('/users', { name: 'Omar Aziz', email: `${email}@language.example.com`, ...more })
    expect((await add('first')).body.data.language).toBe('ar')
    expect((await add('second', { language: 'en' })).body.data.language).toBe('en')
    expect((await own.admin.patch('', { language: 'en' })).body.data.language).toBe('en')
    expect((await add('third')).body.data.language).toBe('en')
    expect((await own.admin.patch('', { language: 'fr' })).status).toBe(422)
  })
})
