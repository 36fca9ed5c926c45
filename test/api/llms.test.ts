import { expect, it } from 'vitest'
import apiDescription from '../../openapi.json' with { type: 'json' }
import { useApp } from '../support/app.ts'

const app = useApp()

async function text(path: string): Promise<string> {
  const response = await fetch(app.url + path)
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/plain; charset=utf-8'])
  return response.text()
}

const flat = Object.entries(apiDescription.paths).flatMap(([path, methods]) =>
  Object.entries(methods)
    .filter(([, { operationId }]) => !operationId.endsWith('InProject'))
    .map(([method]) => `\`${method.toUpperCase()} ${path}\``),
)

it('/llms.txt is as the convention says: a title, a summary, and links to every endpoint and all that exists', async () => {
  const short = await text('/llms.txt')
  const [title, summary, ...rest] = short.split('\n\n')
  expect(title).toMatch(/^# Diwan API \d+\.\d+\.\d+$/)
  expect(summary).toMatch(/^> \S/)
  for (const part of rest) expect(part).toMatch(/^(## \S.*|- \S[\s\S]*)$/)
  for (const endpoint of flat) expect(short.split(endpoint)).toHaveLength(2)
  for (const [, address = ''] of short.matchAll(/\]\(http:\/\/127\.0\.0\.1:3000(\/[^)]*)\)/g))
    expect([address, (await fetch(app.url + address)).status]).toEqual([address, 200])
})

it('/llms-full.txt has every endpoint with what it takes and answers, and every field of every record', async () => {
  const full = await text('/llms-full.txt')
  for (const endpoint of flat) expect(full).toContain(`\n${endpoint}\n`)
  for (const [name, { properties }] of Object.entries(apiDescription.components.schemas)) {
    const record = full.split(`\n### ${name}\n`)[1]?.split('\n### ')[0]
    for (const field of Object.keys(properties))
      expect([name, record]).toEqual([name, expect.stringContaining(`- \`${field}\` (`)])
  }
  expect(full).toContain('- `assignee_email` (string or null): ')
  expect(full).toContain('Answers 201 with {data: Task}.')
  expect(full).not.toMatch(/undefined|\[object/)
})
