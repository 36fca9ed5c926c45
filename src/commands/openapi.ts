import { writeFile } from 'node:fs/promises'
import { adminDescription, apiDescription } from '../descriptions.ts'

export async function writeDescriptions(): Promise<void> {
  await writeFile('openapi.json', `${JSON.stringify(apiDescription, null, 2)}\n`)
  await writeFile('openapi-admin.json', `${JSON.stringify(adminDescription, null, 2)}\n`)
}
