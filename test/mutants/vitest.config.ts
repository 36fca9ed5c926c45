import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { mergeConfig } from 'vitest/config'
import base from '../../vitest.config.ts'
import type { Fault } from './faults.ts'

const faulty = {
  name: 'faulty',
  enforce: 'pre' as const,
  load(id: string) {
    const fault: Fault | null = JSON.parse(process.env.FAULT ?? 'null')
    if (!fault || id !== resolve(fault.file)) return
    const source = readFileSync(id, 'utf8')
    return source.slice(0, fault.start) + fault.text + source.slice(fault.end)
  },
}

export default mergeConfig(base, { root: resolve(import.meta.dirname, '../..'), plugins: [faulty] })
