import mime from 'mime'
import { beforeAll, describe, expect, it } from 'vitest'
import { TEXT_EXTENSIONS } from '../../src/lib/text-extensions.ts'
import { useApp } from '../support/app.ts'
import type { Answer, Client } from '../support/diwan.ts'
import { furnishWork, type Work } from '../support/factories.ts'
import { expectRefusal } from '../support/refusal.ts'

const app = useApp()
let work: Work
let files: string

beforeAll(async () => {
  work = await furnishWork(app.diwan)
  files = `/projects/${work.project.id}/files`
})

const INVISIBLE = [
  '\u200b',
  ' \u200e\u200f\u061c ',
  '\u202a\u202e\u2066\u2069',
  '\u2060\ufeff\u00ad',
  '\u2800',
  '\u3164',
  '\u115f\u1160\uffa0',
  '\u034f\u180e\ufe0f',
  '\u{e0041}\u{e0042}\u{1d173}',
]

describe('A name or title of invisible characters only', () => {
  type Write = (name: string) => [surface: Client, method: 'post' | 'patch', path: string, body: object, field?: string]
  const WRITES: [what: string, Write][] = [
    ['project', name => [work.company.api, 'post', '/projects', { name }]],
    ['renamed project', name => [work.company.api, 'patch', `/projects/${work.project.id}`, { name }]],
    ['list', title => [work.company.api, 'post', `/projects/${work.project.id}/lists`, { title }]],
    ['task', title => [work.company.api, 'post', `/lists/${work.list.id}/tasks`, { title }]],
    ['discussion', title => [work.company.api, 'post', `/projects/${work.project.id}/discussions`, { title }]],
    ['folder', name => [work.company.api, 'post', `/projects/${work.project.id}/folders`, { name }]],
    ['file', name => [work.company.api, 'post', files, { name, content: 'x' }]],
    [
      'link',
      name => [
        work.company.api,
        'post',
        `/projects/${work.project.id}/links`,
        { name, external_url: 'https://a.example' },
      ],
    ],
    [
      'event',
      name => [
        work.company.api,
        'post',
        '/events',
        { name, starts_at: '2027-01-01T10:00', ends_at: '2027-01-01T11:00' },
      ],
    ],
    ['person', name => [work.company.admin, 'post', '/users', { name, email: 'someone@example.com' }]],
    ['key', name => [work.company.admin, 'post', '/keys', { name, access: 'read' }]],
    ['category', category => [work.company.admin, 'patch', `/discussions/${work.discussion.id}`, { category }]],
  ]

  it.each(WRITES)('is blank, for a %s', async (_, write) => {
    for (const name of INVISIBLE) {
      const [surface, method, path, body] = write(name)
      const field = Object.keys(body)[0]
      expectRefusal(await surface[method](path, body), 422, 'unprocessable_entity', `${field} can't be blank`)
    }
  })

  it('is not what a name is in which one can be seen', async () => {
    for (const name of ['\u200fخطة\u200f', '👩\u200d👩\u200d👧', '\u2066a\u2069', 'می\u200cخواهم', '⠁'])
      expect((await app.diwan.project(work.company, { name })).name).toBe(name)
  })
})

const NO_URLS = [
  'https://example.com/a b',
  ' https://example.com',
  'https://example.com ',
  'https://example.com/a\nb',
  'https://exa\tmple.com',
  'ht\ntps://example.com',
  'https://example.com/\u00a0',
  'https://example.com/\u3000x',
  'https:example.com',
  'http:/example.com',
  'https:///example.com',
  'https:\\\\example.com',
  'https://example.com\\@evil.example',
  'https://',
]

describe('A URL with blanks, newlines or without its slashes is refused', () => {
  const refusals: [field: string, send: (url: string) => Promise<Answer>][] = [
    [
      'external_url',
      external_url => work.company.api.post(`/projects/${work.project.id}/links`, { name: 'x', external_url }),
    ],
    [
      'meeting_url',
      meeting_url =>
        work.company.api.post('/events', {
          name: 'x',
          starts_at: '2027-01-01T10:00',
          ends_at: '2027-01-01T11:00',
          meeting_url,
        }),
    ],
  ]
  it.each(refusals)('as %s', async (field, send) => {
    for (const url of NO_URLS) {
      const answer = await send(url)
      expect([url, answer.status, answer.body.error?.message]).toEqual([
        url,
        422,
        `${field} must be an http or https URL without spaces, such as https://example.com/page`,
      ])
    }
    for (const url of ['HTTPS://Example.com', 'http://user@[::1]:8080/?q=%20#x', 'https://ar.example/wiki/ديوان'])
      expect([url, (await send(url)).status]).toEqual([url, 201])
  })
})

describe('The content type of a file', () => {
  const typeOf = async (body: object) => (await work.company.api.post(files, body)).body.data.content_type
  const asBase64 = (bytes: Buffer) => ({ content_base64: bytes.toString('base64') })

  it.each(['ts', 'mts', 'rs', 'org', 'bat', 'pot', 'scm', 'vhd', 'py'])(
    '.%s is text, however it is sent',
    async end => {
      const [name, text] = [`مثال.${end}`, 'let name = "ديوان"\n']
      expect(await typeOf({ name, content: text })).toBe('text/plain')
      expect(await typeOf({ name, ...asBase64(Buffer.from(text)) })).toBe('text/plain')
    },
  )

  it('of what only shares its extension with text is what its name says', async () => {
    const video = Buffer.alloc(188 * 4, 0xff)
    for (let at = 0; at < video.length; at += 188) video[at] = 0x47
    expect(await typeOf({ name: 'clip.ts', ...asBase64(video) })).toBe('video/mp2t')
    expect(await typeOf({ name: 'slides.pot', ...asBase64(Buffer.from('d0cf11e0a1b11ae1', 'hex')) })).toBe(
      'application/vnd.ms-powerpoint',
    )
    expect(await typeOf({ name: 'data.py', ...asBase64(Buffer.from([0, 1, 2])) })).toBe('application/octet-stream')
  })

  it('of every plain-text extension is one of text', async () => {
    const textual =
      /^text\/|^image\/svg\+xml$|^message\/rfc822$|^application\/(.+\+(xml|json)|json5?|xml|xml-dtd|toml|sql|n-triples|node|vnd\.dart|x-(tex|subrip|httpd-php|perl|tcl|sh))$/
    for (const extension of TEXT_EXTENSIONS) {
      // Extensions that are registered as text need not be uploaded one by one.
      if (mime.getType(extension)?.startsWith('text/')) continue
      expect([extension, await typeOf({ name: `a.${extension}`, content: 'a' })]).toEqual([
        extension,
        expect.stringMatching(textual),
      ])
    }
  })
})
