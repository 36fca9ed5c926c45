import type { LookupAddress } from 'node:dns'
import { readFile, stat } from 'node:fs/promises'
import { isIP } from 'node:net'

const LOOPBACK: LookupAddress[] = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
]

/** What a machine knows of names without asking a name server: its hosts file, and the domains that short names belong to. */
export interface LocalNames {
  /** The addresses of a name that is set on this machine; undefined for any other. */
  addressesOf(name: string): Promise<LookupAddress[] | undefined>
  /** The names to ask for, in this order: a name with few dots may be short for one in a domain of ours. */
  spellingsOf(name: string): Promise<string[]>
}

export function createLocalNames(hostsFile = '/etc/hosts', resolverFile = '/etc/resolv.conf'): LocalNames {
  const hosts = rereadFile(hostsFile, readHosts)
  const domains = rereadFile(resolverFile, readDomains)

  return {
    async addressesOf(name) {
      const wanted = name.toLowerCase().replace(/\.$/, '')
      const isLoopback = wanted === 'localhost' || wanted.endsWith('.localhost')
      return (await hosts()).get(wanted) ?? (isLoopback ? LOOPBACK : undefined)
    },

    async spellingsOf(name) {
      const { search, dots } = await domains()
      const isWhole = name.endsWith('.') || name.split('.').length > dots
      return isWhole ? [name] : [...search.map(domain => `${name}.${domain}`), name]
    },
  }
}

/** The content of a file, read again when it has changed; as if it were empty when it cannot be read. */
function rereadFile<T>(path: string, parse: (text: string) => T): () => Promise<T> {
  let known: { changedAt: number; value: T } | undefined
  return async () => {
    const changedAt = await stat(path).then(
      ({ mtimeMs }) => mtimeMs,
      () => 0,
    )
    if (known?.changedAt !== changedAt)
      known = { changedAt, value: parse(changedAt === 0 ? '' : await readFile(path, 'utf8').catch(() => '')) }
    return known.value
  }
}

function readHosts(text: string): Map<string, LookupAddress[]> {
  const hosts = new Map<string, LookupAddress[]>()
  for (const [address = '', ...names] of wordsOfLines(text)) {
    const family = isIP(address)
    if (family === 0) continue
    for (const name of names.map(each => each.toLowerCase())) {
      const addresses = hosts.get(name) ?? []
      addresses.push({ address, family })
      hosts.set(name, addresses)
    }
  }
  return hosts
}

function readDomains(text: string): { search: string[]; dots: number } {
  const found = { search: [] as string[], dots: 1 }
  for (const [keyword, ...values] of wordsOfLines(text)) {
    if (keyword === 'search' || keyword === 'domain') found.search = values
    const [, dots] = (keyword === 'options' && values.join(' ').match(/\bndots:(\d{1,2})/)) || []
    if (dots !== undefined) found.dots = Number(dots)
  }
  return found
}

/** Without comments and empty lines. */
function wordsOfLines(text: string): string[][] {
  return text.split('\n').flatMap(line => {
    const words = (line.split(/[#;]/, 1)[0] as string).split(/\s+/).filter(word => word !== '')
    return words.length > 0 ? [words] : []
  })
}
