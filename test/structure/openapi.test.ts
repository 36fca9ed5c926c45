import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import ajvFormats from 'ajv-formats'
import { describe, expect, it } from 'vitest'
import { adminEndpoints } from '../../src/admin/endpoints.ts'
import { apiEndpoints } from '../../src/api/endpoints.ts'
import { adminDescription, apiDescription, CONTRACT_VERSION } from '../../src/descriptions.ts'

interface Content {
  content?: Record<string, { schema: object; example: unknown }>
}
interface Operation {
  operationId: string
  summary: string
  description: string
  tags: string[]
  parameters: { name: string; in: string; required: boolean; description?: string }[]
  requestBody?: Content
  responses: Record<string, Content & { $ref?: string }>
}
interface Description {
  info: { version: string }
  tags: { name: string }[]
  paths: Record<string, Record<string, Operation>>
  components: { responses: Record<string, Content> }
}

const FILES = [
  { file: 'openapi.json', described: apiDescription, endpoints: apiEndpoints },
  { file: 'openapi-admin.json', described: adminDescription, endpoints: adminEndpoints },
]
const READ_FAILURES = ['401', '403', '404', '429']
const WRITE_FAILURES = [...READ_FAILURES, '409', '422']

describe.each(FILES)('$file', ({ file, described, endpoints }) => {
  const description = described as unknown as Description
  const operations = Object.entries(description.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      name: `${method.toUpperCase()} ${path}`,
      method,
      path,
      operation,
    })),
  )
  const ajv = new Ajv2020({ strict: false, allErrors: true })
  ajvFormats.default(ajv)
  ajv.addSchema(JSON.parse(JSON.stringify(described)), 'description')

  /** What is wrong with the example of a JSON body, by the schema that stands beside it. */
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

  it('describes every endpoint at every address, and nothing else', () => {
    const served = endpoints.flatMap(({ method, at }) =>
      at.map(address => `${method} ${address.replace(/:(\w+)/g, '{$1}')}`),
    )
    expect(operations.map(({ name }) => name).sort()).toEqual(served.sort())
  })

  it('gives every operation an id that no other has, and that names a function', () => {
    const ids = operations.map(({ operation }) => operation.operationId)
    expect(ids.filter((id, n) => ids.indexOf(id) !== n)).toEqual([])
    expect(ids.filter(id => !/^[a-z][A-Za-z0-9]*$/.test(id))).toEqual([])
  })

  it('puts every operation under a tag that it explains, and explains every parameter', () => {
    const tags = description.tags.map(({ name }) => name)
    for (const { name, path, operation } of operations) {
      expect([name, operation.tags.filter(tag => !tags.includes(tag))]).toEqual([name, []])
      const inPath = operation.parameters.filter(parameter => parameter.in === 'path')
      expect(inPath.map(parameter => `{${parameter.name}}`)).toEqual(path.match(/\{\w+\}/g) ?? [])
      expect([name, inPath.filter(({ description, required }) => !description || !required)]).toEqual([name, []])
    }
  })

  it.each(operations)('lists every status that $name may answer', ({ method, operation }) => {
    const statuses = Object.keys(operation.responses)
    const expected = method === 'get' ? READ_FAILURES : WRITE_FAILURES
    expect(statuses).toEqual(expect.arrayContaining(expected))
    expect(statuses.some(status => status === '200' || status === '201')).toBe(true)
    expect(statuses.filter(status => ['400', '405', '413', '415'].includes(status))).toEqual([])
    for (const { $ref } of Object.values(operation.responses).filter(response => response.$ref))
      expect(Object.keys(description.components.responses).map(name => `#/components/responses/${name}`)).toContain(
        $ref,
      )
  })

  it.each(operations)('shows examples of $name that fit their schemas', ({ method, path, operation }) => {
    const at = ['paths', path, method]
    if (operation.requestBody) {
      expect(Object.keys(operation.requestBody.content ?? {})).not.toEqual([])
      expect(faults([...at, 'requestBody'], operation.requestBody)).toEqual([])
    }
    for (const [status, response] of Object.entries(operation.responses))
      expect([status, faults([...at, 'responses', status], response)]).toEqual([status, []])
  })

  it.each(Object.entries(description.components.responses))(
    'shows an example of the failure %s that fits',
    (name, response) => {
      expect(faults(['components', 'responses', name], response)).toEqual([])
      const example = Object.values(response.content ?? {})[0]?.example
      expect(example).toHaveProperty('error')
    },
  )
})
