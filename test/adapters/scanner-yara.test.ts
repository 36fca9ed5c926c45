import { it, expect } from 'vitest'
import { createYaraScanner } from '../../src/adapters/scanner-yara.ts'
it('x', async () => { console.log(import.meta.url, typeof import.meta.resolve); const s = await createYaraScanner(); expect((await s.scan(Buffer.from('x'),'a')).outcome).toBe('clean'); await s.close() })
