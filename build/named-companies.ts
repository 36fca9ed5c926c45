import { readFileSync } from 'node:fs'
import type { Recorded } from '../test/support/recorded-statements.ts'

// A company's data is found by its company: no statement reads or changes rows of a company that it does not name. A company can
// then be moved to another database as a whole.

/** The statements that name no company, by their file and by words in them, and why they need not. */
const WITHOUT: [file: string, words: string, why: string][] = [
  ['src/domain/access/keyring.ts', 'where k.digest = $', 'by digest: the key tells the company'],
  ['src/domain/access/keyring.ts', 'where t.digest = $', 'by digest: the token of an app tells the company'],
  ['src/admin/callers.ts', '.digest = $', 'by digest: the credential of a person tells the company'],
  ['src/admin/new-session.ts', 'from personal_tokens where digest = $', 'by digest'],
  ['src/domain/apps/tokens.ts', 't.digest = $', 'by digest'],
  ['src/domain/people/invitations.ts', 'i.digest = $', 'by digest'],
  ['src/domain/cells/where.ts', 'digest = $', 'by digest: another cell asks whose credential it is'],
  ['src/domain/cells/numbers.ts', 'from companies where id between', 'all companies: which numbers were given out'],
  [
    'src/domain/people/sign-in-links.ts',
    'i.digest = $',
    'by digest: nobody knows yet whom the identity provider has named',
  ],
  ['src/domain/people/sign-in-links.ts', 'l.issuer = $', 'all companies: in which of them somebody has an account'],
  ['src/admin/companies.ts', 'insert into companies (', 'a new company'],
  ['src/admin/company-list.ts', 'from companies c where', 'all companies: the list of the operator'],
  ['src/admin/jobs.ts', 'from pgboss.job', 'all companies: the failed jobs, for the operator'],
  ['src/domain/feed/watch.ts', 'from changes where', 'all companies: which of them have news'],
  ['src/domain/feed/lag.ts', 'from changes where', 'all companies: how far the feeds are behind'],
  ['src/jobs/webhooks/due.ts', 'from webhook_deliveries where', 'all companies: whose deliveries are due'],
  ['src/jobs/webhooks/outbox.ts', 'from companies c where', 'all companies: which of them have news for webhooks'],
  ['src/jobs/catch-up-calendars.ts', 'from calendar_entries x', 'sweep: whose calendars are owed something'],
  ['src/jobs/upkeep/remove-companies.ts', 'from companies c where', 'sweep: which companies are to be removed'],
  ['src/jobs/upkeep/idle-sandboxes.ts', 'from companies c where', 'sweep: which sandboxes nobody uses'],
  [
    'src/domain/records/counts.ts',
    'from count_changes where (company_id',
    'sweep: which projects have counts to add up',
  ],
  ['src/domain/feed/feed.ts', 'foreign_ones', 'sweep: what a restored backup has left in the feeds'],
  [
    'src/domain/access/request-log.ts',
    'from requests where company_id > $',
    'sweep: whose log of requests is too long',
  ],
  [
    'src/http/operation/metrics.ts',
    'from webhooks where active and failing_since',
    'all companies: how many webhooks fail, for the operator',
  ],
  ['src/domain/apps/', 'into app_clients (', 'company 0, by default'],
  ['src/domain/apps/', 'into app_requests (', 'company 0, by default'],
]

const schema = readFileSync(new URL('../src/db/schema.sql', import.meta.url), 'utf8')
const TABLES = [...schema.matchAll(/^CREATE TABLE (\w+) \((.*?)\n\)/gms)]
  .filter(([, , columns]) => columns?.includes('company_id'))
  .map(([, name]) => name)
  .join('|')
const TOUCHES = new RegExp(`\\b(?:from|join|update|into|using) (?:companies|${TABLES})\\b`)
const AFTER_A_TABLE =
  'cross|for|group|inner|join|left|limit|offset|on|order|returning|select|set|union|using|values|where'
const TABLE_WITH_ALIAS = new RegExp(
  `\\b(?:from|join|update|using) (${TABLES})\\b(?: (?:as )?(?!(?:${AFTER_A_TABLE})\\b)([a-z_]+))?`,
  'g',
)

/** How a statement says of which company it is. Company 0 has what belongs to no company. */
const NAMES = [
  /\bcompany_id = (?:any ?\()?\$\d/,
  /\bcompany_id = 0\b/,
  /\binsert into \w+ (?:as \w+ )?\(company_id\b/,
  /\bunnest\(\$\d+::bigint\[\].*company_id\b/,
  /\b(?:from|join|update) companies\b.*\b(?:(?:\w\.)?id|sandbox_of) = \$\d/,
  /\$\d+ in \(c\.id, c\.sandbox_of\)/,
]

/**
 * Undefined if the statement names its company, and the company of every table in it, or is on the list of those that need not;
 * otherwise what is wrong with it.
 */
export function missingCompany({ text, places }: Recorded): string | undefined {
  const line = text.replace(/\s+/g, ' ')
  if (places.length === 0 || !TOUCHES.test(line)) return undefined
  const isIn = (file: string) => places.some(place => place.startsWith(file))
  if (WITHOUT.some(([file, words]) => isIn(file) && line.includes(words))) return undefined
  if (!NAMES.some(form => form.test(line))) return 'names no company'
  for (const [, table = '', alias] of line.matchAll(TABLE_WITH_ALIAS)) {
    const own =
      alias === undefined
        ? new RegExp(`(?:^|[^.\\w]|\\b${table}\\.)company_id\\b`)
        : new RegExp(`\\b${alias}\\.company_id\\b`)
    if (!own.test(line)) return `does not say of which company it wants ${table}`
  }
  return undefined
}
