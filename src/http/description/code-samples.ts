import { exampleHandles } from '../../domain/records/examples.ts'
import { Bytes } from '../answers/schema.ts'
import type { EndpointFacts } from '../endpoints/endpoint.ts'
import { methodPath } from './method-names.ts'
import { exampleOf, type Json } from './schemas.ts'

/** Stands for the URL of the server in the samples, because a description alone does not know it. */
export const ORIGIN = '$DIWAN_URL'

/** The address of a server that was started as the README says. Generators and tools need one, whatever it is. */
export const SERVER = 'http://127.0.0.1:3000'

/** The variable that the command line reads too. */
const KEY = 'DIWAN_KEY'

/** One call as a sample shows it. */
export interface SampleCall {
  endpoint: EndpointFacts
  /** The name of the operation in clients: `completeTask`. */
  name: string
  address: string
  prefix: string
  /** Whether this is the nested one of two addresses, which takes slugs. */
  isNested: boolean
}

/** The same call in three languages. */
export function codeSamples(call: SampleCall): Json[] {
  return [
    { lang: 'Shell', label: 'curl', source: curl(call) },
    { lang: 'JavaScript', label: 'JavaScript', source: javaScript(call) },
    { lang: 'Python', label: 'Python', source: python(call) },
  ]
}

/** The path below the prefix with the handles of the demo company, and the query that an example shows. */
function pathOf({ address, isNested, endpoint }: SampleCall): string {
  const handles = exampleHandles(address, isNested)
  const query = new URLSearchParams(queryOf(endpoint) as Record<string, string>).toString()
  return address.replace(/:(\w+)/g, (_, name) => handles[name] ?? name) + (query && `?${query}`)
}

/** Only the parameters that have an example: the others have a default. */
function queryOf({ query }: EndpointFacts): Json {
  const shown = Object.entries(query?.properties ?? {}).filter(([, schema]) => 'examples' in schema)
  return Object.fromEntries(shown.map(([name, schema]) => [name, exampleOf(schema)]))
}

function curl(call: SampleCall): string {
  const { method, body } = call.endpoint
  const lines = [
    `curl${method === 'GET' ? '' : ` -X ${method}`} "${ORIGIN}${call.prefix}${pathOf(call)}"`,
    `-H 'Authorization: Bearer '"$${KEY}"`,
  ]
  if (body) {
    const text = JSON.stringify(exampleOf(body)).replaceAll("'", "'\\''")
    lines.push(`-H 'Content-Type: application/json'`, `-d '${text}'`)
  }
  return lines.join(' \\\n  ')
}

function javaScript(call: SampleCall): string {
  return [
    "import { createDiwan } from '@diwan/client'",
    '',
    `const diwan = createDiwan({ url: '${ORIGIN}', key: process.env.${KEY} })`,
    ...clientCall(call),
    '',
  ].join('\n')
}

function clientCall(call: SampleCall): string[] {
  const { endpoint, isNested, name, address } = call
  const { method, body, query, returns } = endpoint
  const sent = body && inJavaScript(exampleOf(body))
  // The methods of the client use the flat addresses; with slugs, the path is written out.
  if (isNested) {
    const options = sent ? `, { body: ${sent} }` : ''
    return [`const { data } = await diwan.request('${method}', '${pathOf(call)}'${options})`, 'console.log(data)']
  }
  const path = address.replace(/:(\w+)/g, '{$1}')
  const handles = Object.values(exampleHandles(address, false)).map(handle => `'${handle}'`)
  const asked = Object.keys(queryOf(endpoint)).length > 0 ? [inJavaScript(queryOf(endpoint))] : []
  const called = `diwan.${methodPath({ name, path }).join('.')}(${[...handles, ...(sent ? [sent] : asked)].join(', ')})`
  if (query?.properties.cursor) return [`for await (const record of ${called}) {`, '  console.log(record)', '}']
  if (returns === Bytes) return [`const file = await ${called}`, 'console.log(await file.text())']
  return [`console.log(await ${called})`]
}

function python(call: SampleCall): string {
  const { method, body, returns } = call.endpoint
  const headers = [`"Authorization": f"Bearer {os.environ['${KEY}']}"`]
  if (body) headers.push('"Content-Type": "application/json"')
  return [
    `import ${body || returns !== Bytes ? 'json, ' : ''}os, urllib.request`,
    '',
    'request = urllib.request.Request(',
    `    "${ORIGIN}${call.prefix}${pathOf(call)}",`,
    `    method="${method}",`,
    `    headers={${headers.join(', ')}},`,
    ...(body ? [`    data=json.dumps(${inPython(exampleOf(body))}).encode(),`] : []),
    ')',
    'with urllib.request.urlopen(request, timeout=30) as answer:',
    returns === Bytes ? '    print(answer.read().decode())' : '    print(json.load(answer))',
    '',
  ].join('\n')
}

/** A value as a person would write it: names without quotes, text in single ones. */
function inJavaScript(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(inJavaScript).join(', ')}]`
  if (typeof value === 'string')
    return `'${JSON.stringify(value).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`
  if (typeof value !== 'object' || value === null) return String(value)
  return `{ ${Object.entries(value)
    .map(([name, each]) => `${name}: ${inJavaScript(each)}`)
    .join(', ')} }`
}

/** Python writes JSON the same way except for three words. */
function inPython(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(inPython).join(', ')}]`
  if (typeof value === 'object' && value !== null)
    return `{${Object.entries(value)
      .map(([name, each]) => `"${name}": ${inPython(each)}`)
      .join(', ')}}`
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  return value === null ? 'None' : JSON.stringify(value)
}
