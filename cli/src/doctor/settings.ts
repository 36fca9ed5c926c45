import { type Config, SECRET_CHARACTERS, shortSecrets } from '../../../src/config.ts'
import type { Finding } from '../../../src/domain/installation/health.ts'
import { doubtful, fault, ok } from './finding.ts'

/** What can be seen from the environment alone. */
export function lookAtSettings(config: Config, faults: Map<string, string>): Finding[] {
  const unusable = [...faults.values()].map(message =>
    fault('configuration', message, 'Correct the variable: the README lists them all.'),
  )
  return [
    ok('node', `Node.js ${process.versions.node}.`),
    ...(unusable.length > 0 ? unusable : [ok('configuration', 'Every setting can be used.')]),
    ...withDefault(lookAtSecrets(config, faults), ok('secrets', 'Long enough, or generated.')),
    ...withDefault(
      lookAtPublicUrl(config),
      ok('public_url', `Links begin with ${config.publicUrl ?? ownUrl(config)}.`),
    ),
    ...lookAtWorker(config),
  ]
}

function withDefault(findings: Finding[], otherwise: Finding): Finding[] {
  return findings.length > 0 ? findings : [otherwise]
}

function lookAtSecrets(config: Config, faults: Map<string, string>): Finding[] {
  const { serverSecret, operatorToken } = config
  const short = shortSecrets(config)
    .filter(name => !faults.has(name))
    .map(name =>
      doubtful(
        'secrets',
        `${name} has fewer than ${SECRET_CHARACTERS} characters and can be guessed.`,
        'Make a new one with: openssl rand -base64 32. Before you change SERVER_SECRET, read "Secrets" in docs/running-in-production.md.',
      ),
    )
  if (serverSecret === undefined || serverSecret !== operatorToken) return short
  const advice = 'Give OPERATOR_TOKEN a value of its own: whoever is told one must not know the other.'
  return [...short, doubtful('secrets', 'SERVER_SECRET and OPERATOR_TOKEN are the same.', advice)]
}

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[?::1\]?)$/
const ANY = ['0.0.0.0', '::']

function ownUrl({ host, port }: Config): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}

function lookAtPublicUrl(config: Config): Finding[] {
  const { publicUrl, host, smtpUrl, trustProxy } = config
  const advice = 'Set PUBLIC_URL to the address that people use, as in https://diwan.example.com.'
  if (publicUrl === undefined) {
    const isReachable = !ANY.includes(host) && !(LOOPBACK.test(host) && smtpUrl)
    return isReachable
      ? []
      : [doubtful('public_url', `PUBLIC_URL is not set, and links would begin with ${ownUrl(config)}.`, advice)]
  }
  const { protocol, hostname, pathname } = new URL(publicUrl)
  const isLocal = LOOPBACK.test(hostname)
  const found: Finding[] = []
  if (isLocal && smtpUrl)
    found.push(doubtful('public_url', 'PUBLIC_URL names this machine, and links in mails lead nowhere else.', advice))
  if (!isLocal && protocol === 'http:')
    found.push(
      doubtful(
        'public_url',
        'PUBLIC_URL begins with http://: tokens and sessions can be read on their way.',
        'Put a proxy with TLS in front, and begin PUBLIC_URL with https://.',
      ),
    )
  if (/\/(api|admin|console|docs)(\/|$)/.test(pathname))
    found.push(
      doubtful(
        'public_url',
        `PUBLIC_URL ends in ${pathname}, which is added to it once more.`,
        'Leave the path out of PUBLIC_URL.',
      ),
    )
  if (protocol === 'https:' && trustProxy === false)
    found.push(
      doubtful(
        'trust_proxy',
        'A proxy stands in front, and its address is taken for that of every caller.',
        'Set TRUST_PROXY to the address of the proxy, or to on when nothing but the proxy can reach the server.',
      ),
    )
  return found
}

function lookAtWorker({ worker, databaseUrl }: Config): Finding[] {
  if (worker || databaseUrl) return []
  const advice = 'Remove WORKER=off, or set DATABASE_URL: the embedded database works in one process.'
  return [fault('worker', 'WORKER is off, and no other process can work on the jobs.', advice)]
}
