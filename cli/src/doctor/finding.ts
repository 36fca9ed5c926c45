import { ADVICE, type Finding, type PartName } from '../../../src/domain/installation/health.ts'

/** What the doctor looks at besides the parts that a running server watches. */
type Other =
  | 'node'
  | 'configuration'
  | 'secrets'
  | 'public_url'
  | 'trust_proxy'
  | 'worker'
  | 'migrations'
  | 'clock'
  | 'calendars'
  | 'server'
type Name = PartName | Other

export const ok = (name: Name, message: string): Finding => ({ name, state: 'ok', message, advice: null })
export const off = (name: Name, message: string): Finding => ({ name, state: 'off', message, advice: null })

/** Without advice of its own, a part gets that which a running server gives. */
type Told = [name: PartName, message: string, advice?: string] | [name: Other, message: string, advice: string]

/** It works, but should not stay that way. */
export const doubtful = (...told: Told): Finding => wrong('degraded', ...told)
export const fault = (...told: Told): Finding => wrong('down', ...told)

function wrong(state: Finding['state'], ...[name, message, advice]: Told): Finding {
  return { name, state, message, advice: advice ?? ADVICE[name as PartName] }
}
