import { writeFile } from 'node:fs/promises'
import { describeAdmin, describeApi } from '../../../src/descriptions.ts'

export async function writeDescriptions(): Promise<void> {
  await writeFile('openapi.json', `${JSON.stringify(describeApi(), null, 2)}\n`)
  await writeFile('openapi-admin.json', `${JSON.stringify(describeAdmin(), null, 2)}\n`)
}
