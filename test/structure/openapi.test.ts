import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import ajvFormats from 'ajv-formats'
import Type from 'typebox'
import { describe, expect, it } from 'vitest'
import { ROOT, writtenFiles } from '../../build/written.ts'
import { adminEndpoints } from '../../src/admin/endpoints.ts'
import { workEndpoints } from '../../src/admin/work.ts'
import { apiEndpoints } from '../../src/api/endpoints.ts'
import { CONTRACT_VERSION } from '../../src/contract-version.ts'
import { describeAdmin, describeApi } from '../../src/descriptions.ts'
import { Nullable } from '../../src/http/answers/schema.ts'
import { named } from '../../src/http/description/schemas.ts'
import { inPlace } from '../../src/lib/openapi-parts.ts'

const [apiDescription, adminDescription] = [describeApi(), describeAdmin()]

interface Content {
  content?: Record<string, { schema: object; example: unknown }>
}
interface Operation {
  operationId: string
  summary: string
  description: string
  tags: string[]
  parameters: {
    name: string
    in: string
    required: boolean
    description?: string
    schema: { type?: string; enum?: unknown[] }
  }[]
  requestBody?: Content & { required: boolean }
  responses: Record<string, Content & { $ref?: string; headers?: Record<string, unknown> }>
  'x-codeSamples'?: { lang: string; source: string }[]
}
interface Description {
  info: { version: string }
  servers: { url: string }[]
  tags: { name: string; description: string }[]
  paths: Record<string, Record<string, Operation>>
  components: Record<'schemas' | 'parameters' | 'requestBodies', Record<string, unknown>> & {
    responses: Record<string, Content>
  }
}

const FILES = [
  { file: 'openapi.json', described: apiDescription, endpoints: apiEndpoints },
  { file: 'openapi-admin.json', described: adminDescription, endpoints: [...adminEndpoints, ...workEndpoints] },
]
const READ_FAILURES = ['401', '403', '404', '429']
const WRITE_FAILURES = [...READ_FAILURES, '409', '422']

describe.each(FILES)('$file', ({ file, described, endpoints }) => {
  const description = described as unknown as Description
  const { components } = description
  const paths = inPlace(description.paths, components)
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      name: `${method.toUpperCase()} ${path}`,
      method,
      path,
      operation,
    })),
  )
  const ajv = new Ajv2020({ strict: false, allErrors: true })
  ajvFormats.default(ajv)
  ajv.addFormat('hijri-date', true)
  ajv.addSchema(JSON.parse(JSON.stringify({ ...described, paths })), 'description')

  /** What is wrong with the example of a JSON body, according to the schema beside it. */
  function faults(pointer: string[], { content }: Content): unknown[] {
    const bodies = Object.entries(content ?? {}).filter(([type]) => type === 'application/json')
    return bodies.flatMap(([type, { example }]) => {
      const steps = [...pointer, 'content', type, 'schema'].map(step =>
        encodeURIComponent(step.replaceAll('~', '~0').replaceAll('/', '~1')),
      )
      const validate = ajv.compile({ $ref: `description#/${steps.join('/')}` })
      return validate(example) ? [] : (validate.errors ?? []).map(error => [error.instancePath, error.message])
    })
  }

  it('is the description that the code makes today: npm run openapi writes it', () => {
    const committed = readFileSync(join(import.meta.dirname, '../..', file), 'utf8')
    expect(committed).toBe(`${JSON.stringify(described, null, 2)}\n`)
    expect(description.info.version).toBe(CONTRACT_VERSION)
  })

  it('has only patterns that mean the same in the languages of generators and validators', () => {
    const patterns = [...new Set([...JSON.stringify(described).matchAll(/"pattern":("(?:[^"\\]|\\.)*")/g)])]
    expect(patterns).not.toEqual([])
    for (const [, quoted = ''] of patterns) {
      const pattern: string = JSON.parse(quoted)
      expect(() => [new RegExp(pattern), new RegExp(pattern, 'u')]).not.toThrow()
      // PCRE has no \u, the others read \p in different ways, and without the u flag a character beyond ASCII may be two.
      expect(pattern).toMatch(/^[ -~]+$/)
      expect(pattern).not.toMatch(/\\[upPxc]/)
    }
  })

  it('has whole numbers of 64 bits, PATCH bodies that may be left out, and no schema that every language has already', () => {
    const integers = JSON.stringify(components.schemas).match(/"type":(?:"integer"|\["integer","null"\])[^}]*/g) ?? []
    expect(integers).not.toEqual([])
    expect(integers.filter(text => !text.includes('"format":"int64"'))).toEqual([])
    const bodies = operations.filter(({ operation }) => operation.requestBody)
    expect(bodies.filter(({ method, operation }) => operation.requestBody?.required !== (method !== 'patch'))).toEqual(
      [],
    )
    expect(Object.keys(components.schemas).filter(name => ['File', 'Date', 'Object', 'String'].includes(name))).toEqual(
      [],
    )
  })

  it('describes every endpoint at every address, with an id that no other has, and nothing else', () => {
    const served = endpoints.flatMap(({ method, at }) =>
      at.map(address => `${method} ${address.replace(/:(\w+)/g, '{$1}')}`),
    )
    expect(operations.map(({ name }) => name).sort()).toEqual(served.sort())
    expect(new Set(operations.map(({ operation }) => operation.operationId)).size).toBe(operations.length)
  })

  it('puts every operation under a tag that it explains, and explains every parameter', () => {
    expect(new Set(operations.flatMap(({ operation }) => operation.tags))).toEqual(
      new Set(description.tags.map(({ name }) => name)),
    )
    expect(description.tags.filter(tag => !/^[A-Z][^.]+\.$/.test(tag.description))).toEqual([])
    for (const { name, path, operation } of operations) {
      const inPath = operation.parameters.filter(parameter => parameter.in === 'path')
      expect(inPath.map(parameter => `{${parameter.name}}`)).toEqual(path.match(/\{\w+\}/g) ?? [])
      expect([name, inPath.filter(({ description, required }) => !description || !required)]).toEqual([name, []])
    }
  })

  it('gives flags and ids in a query the types that generated clients need', () => {
    const inQuery = operations.flatMap(({ operation }) => operation.parameters.filter(each => each.in === 'query'))
    const ids = inQuery.filter(({ name }) => /^(?!target_|external_|request_).*_id$/.test(name))
    expect(ids.filter(({ schema }) => schema.type !== 'integer')).toEqual([])
    expect(inQuery.filter(({ schema }) => schema.enum?.includes('true'))).toEqual([])
  })

  it('lists every status that an operation may answer, with examples that fit their schemas', {
    timeout: 300_000,
  }, () => {
    for (const { name, method, path, operation } of operations) {
      const statuses = Object.keys(operation.responses)
      const expected = method === 'get' ? READ_FAILURES : WRITE_FAILURES
      expect([name, expected.filter(status => !statuses.includes(status))]).toEqual([name, []])
      expect([name, statuses.filter(status => ['400', '405', '413', '415'].includes(status))]).toEqual([name, []])
      expect([name, statuses.some(status => status === '200' || status === '201')]).toEqual([name, true])
      const at = ['paths', path, method]
      if (operation.requestBody) {
        expect(Object.keys(operation.requestBody.content ?? {})).not.toEqual([])
        expect([name, faults([...at, 'requestBody'], operation.requestBody)]).toEqual([name, []])
      }
      for (const [status, response] of Object.entries(operation.responses))
        expect([name, status, faults([...at, 'responses', status], response)]).toEqual([name, status, []])
    }
  })

  it('gives every component a name that is one in any language, and says nothing twice', () => {
    const { schemas, responses, parameters, requestBodies } = components
    const names = Object.keys({ ...schemas, ...responses, ...parameters, ...requestBodies })
    expect(names.filter(name => !/^[A-Z][A-Za-z]+$/.test(name))).toEqual([])
    const parts = Object.values(description.paths)
      .flatMap(methods => Object.values(methods))
      .flatMap(({ parameters, requestBody, responses }) => [...parameters, requestBody, ...Object.values(responses)])
      .filter(part => part !== undefined && !('$ref' in part))
      .map(part => JSON.stringify(part))
    expect(parts.filter((part, n) => parts.indexOf(part) !== n)).toEqual([])
  })

  it('names the server of the README, and no host in its samples', () => {
    expect(description.servers.map(({ url }) => new URL(url).origin)).toEqual(['http://127.0.0.1:3000'])
    const samples = operations.flatMap(({ operation }) => operation['x-codeSamples'] ?? [])
    const curls = samples.filter(({ lang }) => lang === 'Shell').map(({ source }) => source)
    expect(curls.filter(source => !/^curl (-X [A-Z]+ )?"\$DIWAN_URL\/api\/v1\//.test(source))).toEqual([])
    // For the administration, the reference page makes them.
    expect(curls).toHaveLength(description === (apiDescription as unknown) ? operations.length : 0)
    for (const { source } of samples)
      expect(source.replaceAll('$DIWAN_URL', '').match(/https?:\/\/(?!(www\.figma|\w+\.example)\.com)/)).toBeNull()
  })

  it('shows an example of every failure that fits', () => {
    const failures = Object.entries(components.responses).filter(([name]) => !/Answer$|^NotModified$/.test(name))
    expect(failures).not.toEqual([])
    for (const [name, response] of failures) {
      expect([name, faults(['components', 'responses', name], response)]).toEqual([name, []])
      expect(Object.values(response.content ?? {})[0]?.example).toHaveProperty('error')
    }
  })
})

it.each(writtenFiles())('$file is what the declarations make today: npm run openapi writes it', ({ file, text }) => {
  expect(readFileSync(join(ROOT, file), 'utf8')).toBe(text)
})

describe('A description', () => {
  const { paths: written, components: shared } = apiDescription as unknown as Description
  const paths = inPlace(written, shared)
  const folder = Type.Object({ id: Type.Integer() }, { title: 'Folder' })

  it('says of a component what it is, and of a place whether it may be null, in whatever order they come', () => {
    for (const schemas of [
      [folder, Nullable(folder)],
      [Nullable(folder), folder],
    ]) {
      const components = {}
      const described = schemas.map(schema => named(schema, components))
      expect(components).toMatchObject({ Folder: { type: 'object' } })
      const reference = { $ref: '#/components/schemas/Folder' }
      expect(described).toContainEqual(reference)
      expect(described).toContainEqual({ anyOf: [reference, { type: 'null' }] })
    }
    const level = Object.values(paths['/projects/{project}/files']?.get?.responses[200]?.content ?? {})[0]
    expect(level).toHaveProperty('schema.properties.data.properties.folder.anyOf.1', { type: 'null' })
  })

  it('cannot be made while two different schemas have one title', () => {
    const other = Type.Object({ name: Type.String() }, { title: 'Folder' })
    expect(() => named([folder, other], {})).toThrow('Two schemas have the title Folder')
  })

  it('tells where If-Match is compared and which writes answer with an ETag', () => {
    const told = ({ parameters, responses }: Operation) => [
      parameters.some(({ name }) => name === 'If-Match'),
      '412' in responses,
      'ETag' in (responses[200]?.headers ?? responses[201]?.headers ?? {}),
    ]
    for (const [address, method, expected] of [
      ['/tasks/{task}', 'patch', [true, true, true]],
      ['/tasks/{task}', 'delete', [true, true, false]],
      ['/tasks/{task}', 'get', [false, false, true]],
      ['/tasks/{task}/complete', 'post', [true, true, true]],
      ['/projects/{project}/archive', 'post', [true, true, true]],
      ['/files/{file}', 'delete', [true, true, false]],
      ['/lists/{list}/tasks', 'post', [false, false, true]],
      ['/projects/{project}/links', 'post', [false, false, true]],
      ['/lists/{list}/tasks/batch', 'post', [false, false, false]],
    ] as const)
      expect([address, told(paths[address]?.[method] as Operation)]).toEqual([address, expected])
  })

  it('tells which answers say where the new record is: those of every single one', () => {
    const created = Object.entries(paths).flatMap(([address, { post }]) => {
      const headers = post?.responses[201]?.headers
      return headers ? [[address, 'Location' in headers]] : []
    })
    expect(created.length).toBeGreaterThan(10)
    for (const [address, isPlaced] of created)
      expect([address, isPlaced]).toEqual([address, !String(address).endsWith('/batch')])
  })

  it('tells of any media type of a download, of parts, links and what has not changed', () => {
    const download = paths['/projects/{project}/files/{file}/download']?.get
    const { responses = {}, parameters = [] } = download ?? {}
    expect(Object.keys(responses)).toEqual(expect.arrayContaining(['200', '206', '302', '304']))
    for (const status of ['200', '206']) expect(Object.keys(responses[status]?.content ?? {})).toEqual(['*/*'])
    expect(Object.keys(responses[200]?.headers ?? {})).toEqual(
      expect.arrayContaining(['ETag', 'Accept-Ranges', 'Content-Disposition']),
    )
    expect(responses[206]?.headers).toHaveProperty('Content-Range')
    expect(responses[302]?.headers).toHaveProperty('Location')
    expect(responses[304]?.headers).toHaveProperty('ETag')
    const inHeaders = parameters.filter(parameter => parameter.in === 'header').map(({ name }) => name)
    expect(inHeaders).toEqual(['If-None-Match', 'Range', 'If-Range'])
  })
})
