import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * A fault that breaks a promise: what stands in a file of the product, exactly once, and what is put there instead. What the trial
 * then says of its failure has to match `noticed`, or it failed for another reason.
 */
export interface Fault {
  breaks: string
  noticed: RegExp
  file: string
  from: string
  to: string
}

/** One for each trial. A trial that passes in spite of its fault proves nothing. */
export const FAULTS: Record<string, Fault> = {
  shed: {
    breaks: 'everybody is let in, however many there are',
    noticed: /expect\((during\.refused\w*|goodput|percentile\(health, 0\.99\))\)[^\n]*\n +\|/,
    file: 'src/http/requests/entrance.ts',
    from: 'if (inside.size < most) return false',
    to: 'if (inside.size < 100 * most) return false',
  },
  crash: {
    breaks: 'the log reaches the disk a while after the answer',
    noticed: /could not locate a valid checkpoint record|after kill \d+: expected (\[|\d+ to be greater)/,
    file: 'src/db/log-flushes.ts',
    from: 'return write(stream, ...rest)',
    to: `if (!isOfLog(stream)) return write(stream, ...rest)
    const [memory, from, length, position] = rest as [Uint8Array, number, number, number]
    const bytes = memory.slice(from, from + length)
    setTimeout(() => write(stream, bytes, 0, length, position), 200)
    return length`,
  },
  feed: {
    breaks: 'the feed goes on behind an entry that it has not shown',
    noticed: /^[-+] {3}"\w+ \S+",$|^AssertionError: \w+ \S+: expected \{/m,
    file: 'src/domain/feed/feed.ts',
    from: '?? dated(entries.at(-1))',
    to: '?? dated(page.entries.at(-1))',
  },
  import: {
    breaks: 'an import that is continued gives its rows other ids',
    noticed: /^\+ +"Task \d+",$/m,
    file: 'cli/src/import/state.ts',
    from: '  return state\n}',
    to: '  return { ...state, run: newState({ digest: state.digest, options: {} }).run }\n}',
  },
  jobs: {
    breaks: 'a mail is noted as sent before it is',
    noticed: /expected \d+ to be \d+ .*expect\(ids\.size\)[^\n]*\n +\|/s,
    file: 'src/jobs/mail-notification.ts',
    from: '  await mailer.send({',
    to: `  await db.run(sql\`update notifications set emailed_at = now()
    where company_id = \${payload.company_id} and id = \${payload.notification_id}\`)
  await mailer.send({`,
  },
  'at-size': {
    breaks: 'what the newest records do not have is not looked for by an index',
    noticed: /to match \/tasks_search_beginning\//,
    file: 'src/api/search/plan.ts',
    from: 'const areAll = isFinal || (count',
    to: "const areAll = isFinal || where === 'back' || (count",
  },
  calendars: {
    breaks: 'an event that is gone here stays in the calendars',
    noticed: /^\+ +"(Event|Changed) \d+",$/m,
    file: 'src/jobs/sync-calendar.ts',
    from: "else if (!there || (await calendarServer.remove(access, there)) === 'removed') return undefined",
    to: 'else return undefined',
  },
  fuzz: {
    breaks: 'characters that the database cannot store are let through',
    noticed: /(%00|\\u0000).*\n500: /,
    file: 'src/lib/text.ts',
    from: '/[\\u0000-\\u0008',
    to: '/[\\u0001-\\u0008',
  },
  lock: {
    breaks: 'the locks of others are overlooked',
    noticed: /expected 'http:\S+' to be undefined/,
    file: 'src/db/folder-lock.ts',
    from: 'if (isLock(other) && other !== own)',
    to: "if (isLock(other) && other === '')",
  },
  authz: {
    breaks: 'a key may do whatever its access permits',
    noticed: /^\+ +"403, but (200|412|422): /m,
    file: 'src/api/gate.ts',
    from: 'if (!key.operations.includes(operation)) throw',
    to: 'if (key.operations.length === 0) throw',
  },
  history: {
    breaks: 'a write that is sent again under its name is done again',
    noticed: /marks was created twice|was answered otherwise when w\d+ was sent again/,
    file: 'src/http/endpoints/writes.ts',
    from: 'const earlier = repeat && (await answerAgain(tx, reply, repeat))',
    to: 'const earlier = repeat && (await answerAgain(tx, reply, repeat)) && undefined',
  },
  burst: {
    breaks: 'a minute is a second short',
    noticed: /wait 0 with 301 in the last minute|30\d within a minute/,
    file: 'src/domain/ports/burst-throttle.ts',
    from: 'export const BURST_WINDOW_MS = 60_000',
    to: 'export const BURST_WINDOW_MS = 59_000',
  },
  drain: {
    breaks: 'a server that stops closes all connections at once',
    noticed: /stop \d+: expected \[ '(UND_ERR_SOCKET|ECONNRESET)'/,
    file: 'src/http/operation/drain.ts',
    from: 'if (tookMs > withinMs) server.closeAllConnections()',
    to: 'if (tookMs <= withinMs) server.closeAllConnections()',
  },
  'full-disk': {
    breaks: 'a full disk is a fault of ours',
    noticed: /expected \{ status: 500, code: 'internal_error' \}/,
    file: 'src/db/failures.ts',
    from: '/^(08|53|57P0|57014$|55P03$|25006$|25P0[34]$)/',
    to: '/^(08|57P0|57014$|55P03$|25006$|25P0[34]$)/',
  },
  diff: {
    breaks: 'it depends on chance what is said of a record that is missing',
    noticed: /is answered differently:/,
    file: 'src/domain/errors.ts',
    from: "new ApiError('not_found', 'The record was not found.')",
    to: "new ApiError(Math.random() < 0.5 ? 'not_found' : 'forbidden', 'The record was not found.')",
  },
  evil: {
    breaks: 'a body of nothing but keys is read to its end',
    noticed: /keeps everybody waiting for \d+ ms/,
    file: 'src/lib/json.ts',
    from: 'if (excess) throw new JsonFault(excess)',
    to: '',
  },
  neighbour: {
    breaks: 'all companies share the room for the bodies of one',
    noticed: /^\+ +"503 /m,
    file: 'src/http/requests/request-body.ts',
    from: 'budget.open(shareOf(request))',
    to: 'budget.open(0)',
  },
  outside: {
    breaks: 'an identity provider that does not answer is waited for',
    noticed: /expect\(signedInMs\)\.toBeLessThan[^\n]*\n +\|/,
    file: 'src/adapters/oidc.ts',
    from: 'const TIMEOUT_SECONDS = 5',
    to: 'const TIMEOUT_SECONDS = 50',
  },
  slow: {
    breaks: 'whoever takes nothing of an answer is kept',
    noticed: /^\+ +"[\w -]+": NaN,$/m,
    file: 'src/http/requests/pace.ts',
    from: '  else cutOff(watched)',
    to: '  else watched.slowForMs = 0',
  },
  midnight: {
    breaks: 'a day begins an hour late',
    noticed: /Error: \S+, \S+: from \S+Z to \S+Z$/m,
    file: 'src/lib/zoned-time.ts',
    from: 'date.toZonedDateTime({ timeZone: zone }).startOfDay().epochMilliseconds',
    to: 'date.toZonedDateTime({ timeZone: zone }).epochMilliseconds + 3_600_000',
  },
  mirror: {
    breaks: 'an upsert that brings nothing new is a change all the same',
    noticed: /to deeply equal \[ \[ 'lst-\w+', 'created' \] \].*^\+ +"updated",$/ms,
    file: 'src/api/task-writes.ts',
    from: 'title: sql`place.title`,',
    to: 'title: sql`place.title`, time_spent_minutes: sql`coalesce(tasks.time_spent_minutes, 0) + 1`,',
  },
  model: {
    breaks: 'a task that is completed again is completed at another time',
    noticed: /Caused by: AssertionError: expected '\S+Z' to be '\S+Z'/,
    file: 'src/api/task-actions.ts',
    from: 'sql`completed_at = now()`, sql`t.completed_at is null`',
    to: 'sql`completed_at = now()`, sql`true`',
  },
  powercut: {
    breaks: 'what was committed is not flushed before it is acknowledged',
    noticed: /^\+ +"\/\S+: 404",$|could not locate a valid checkpoint record/m,
    file: 'src/db/log-flushes.ts',
    from: 'promisify(fsync)(handle)',
    to: 'promisify(fsync) && handle',
  },
  preauth: {
    breaks: 'a mistyped token is looked up',
    noticed: /expected \d+ to be \d+ .*expect\(lookups\(watched\)[^\n]*\n +\|/s,
    file: 'src/domain/access/credentials.ts',
    from: 'return checksum(token.slice(0, -CHECKSUM_CHARACTERS)) === token.slice(-CHECKSUM_CHARACTERS)',
    to: 'return true',
  },
  'pg-kill': {
    breaks: 'a connection that has fallen silent is kept',
    noticed:
      /: (ms until it served again|longest call in ms|refused while the database was well): expected|acknowledged\.length > before/,
    file: 'src/db/silent-connections.ts',
    from: 'if (heardAt < lostAt) socketOf(client).destroy()',
    to: 'if (heardAt < lostAt) socketOf(client).ref()',
  },
  privacy: {
    breaks: 'a project that nobody has deleted is seen by every member',
    noticed: /^- +"status": 404,\n\+ +"status": |^\+ +"(Zuhalstar|Mushtaristar|Secret\d+of\d+)",$/m,
    file: 'src/domain/access/sight.ts',
    from: "return viewer.sight === 'company' ? isThere : sql",
    to: 'return viewer ? isThere : sql',
  },
  quota: {
    breaks: 'the first of the calls that share a statement is always granted',
    noticed: /expected \d+ to be (300|1000) /,
    file: 'src/domain/access/quota.ts',
    from: 'const isGranted = upTo <= row.last_granted',
    to: 'const isGranted = upTo <= Math.max(row.last_granted, 1)',
  },
  race: {
    breaks: 'a caller has the rights that they had before they waited for a lock',
    noticed: /to match object \[ \+?\d+, \{ (role|active)/,
    file: 'src/admin/gate.ts',
    from: 'call.by = await admission.confirm(call)',
    to: 'await admission.confirm(call)',
  },
  scheduler: {
    breaks: 'a connection is given back while a statement of somebody else is on its way',
    noticed: /A connection was given back twice/,
    file: 'src/db/shared-connections.ts',
    from: 'connection.onItsWay === 0 && client',
    to: 'connection.onItsWay <= 1 && client',
  },
  webhooks: {
    breaks: 'a delivery counts as delivered once a worker has it in hand',
    noticed: /^- +"tsk-\w+",$/m,
    file: 'src/jobs/webhooks/claims.ts',
    from: 'update webhook_deliveries taken\n      set claim',
    to: "update webhook_deliveries taken\n      set state = 'delivered', claim",
  },
  'scanner-leak': {
    breaks: 'the thread that scans is never replaced',
    noticed: /^AssertionError: (\d+ MB, )+\d+ MB: expected \d+ to be less than/m,
    file: 'src/adapters/scanner/yara/scanner.ts',
    from: 'renewAfterScans: 1_000',
    to: 'renewAfterScans: 1_000_000',
  },
  'search-names': {
    breaks: 'the capitals of Armenian stay capitals, which the database makes small',
    noticed: /^\+ +"5[345]\w: SQL/m,
    file: 'src/lib/search-name.ts',
    from: '\\u0370-\\u0556',
    to: '\\u0370-\\u052f',
  },
  soak: {
    breaks: 'every answer is kept',
    noticed: / prepared: expected \d{7,} to be less than/,
    file: 'src/http/operation/metrics.ts',
    from: 'requests.inc({ operation, status: String(reply.statusCode) })',
    to: 'Object.assign(requests, { [reply.request.id]: reply }).inc({ operation, status: String(reply.statusCode) })',
  },
  upgrade: {
    breaks: 'a release refuses what a later one has added',
    noticed: /The database is newer/,
    file: 'src/db/migrate.ts',
    from: 'if (beyond) throw new TooOld(beyond)',
    to: "if (beyond || [...applied.keys()].some(name => !wanted.includes(name))) throw new Error('The database is newer')",
  },
  years: {
    breaks: 'what is old is kept for half a year longer than it should be',
    noticed: /^\+ +"\w+: \d{4}-\d\d-\d\d/m,
    file: 'src/domain/upkeep/retention.ts',
    from: '[reached, days],',
    to: '[reached, days + 183],',
  },
  secrets: {
    breaks: 'the secret of a webhook is stored as it is',
    noticed: /^\+ +"the secret of a webhook, /m,
    file: 'src/admin/webhooks.ts',
    from: 'encryption.encrypt(secret, webhookSecretPurpose(companyId))',
    to: 'Buffer.from(secret)',
  },
  tenant: {
    breaks: 'a token is revoked by its number alone',
    noticed: /names no company: delete from personal_tokens/,
    file: 'src/admin/tokens.ts',
    from: 'delete from personal_tokens where company_id = ',
    to: 'delete from personal_tokens where 0 < ',
  },
  'redis-kill': {
    breaks: 'every call waits for a Redis that is slow or hangs',
    noticed: /: growth of (p99 in ms, beside [\d.]+|the longest call in ms): expected/,
    file: 'src/adapters/burst-redis.ts',
    from: '    isAway = true\n',
    to: '    isAway = false\n',
  },
}

const NOT_COPIED = new Set(['.git', 'node_modules', 'data', 'dist'])

/** Copies the project with the fault planted in it. Returns the folder and what removes it. */
export function plant({ file, from, to }: Fault): { folder: string; remove(): void } {
  const folder = mkdtempSync(join(tmpdir(), 'diwan-planted-'))
  cpSync('.', folder, { recursive: true, filter: path => !NOT_COPIED.has(path) })
  symlinkSync(join(process.cwd(), 'node_modules'), join(folder, 'node_modules'))
  const text = readFileSync(file, 'utf8')
  if (text.split(from).length !== 2) throw new Error(`${file} must have exactly one "${from}"`)
  writeFileSync(
    join(folder, file),
    text.replace(from, () => to),
  )
  return { folder, remove: () => rmSync(folder, { recursive: true }) }
}
