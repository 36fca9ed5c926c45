import { readFileSync } from 'node:fs'
import { parse, parseAllDocuments } from 'yaml'

/** A service of the Compose file: only the fields that tests look at. */
export interface ComposedService {
  image: string
  command?: string[]
  environment?: Record<string, string>
  ports?: string[]
  healthcheck?: { disable?: boolean }
  depends_on?: Record<string, unknown>
  [other: string]: unknown
}

export const deployed = (file: string) => readFileSync(`deploy/${file}`, 'utf8')

export function composedServices(): Record<string, ComposedService> {
  return parse(deployed('compose.yaml'), { merge: true }).services
}

// biome-ignore lint/suspicious/noExplicitAny: tests look into whatever is there
export function kubernetesObjects(): any[] {
  return parseAllDocuments(deployed('kubernetes.yaml')).map(document => {
    if (document.errors.length > 0) throw document.errors[0]
    return document.toJS()
  })
}
