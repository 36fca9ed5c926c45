import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const root = join(import.meta.dirname, '../../src')
const sources = readdirSync(root, { recursive: true, encoding: 'utf8' })
  .filter(file => file.endsWith('.ts'))
  .map(file => ({ file, text: readFileSync(join(root, file), 'utf8') }))

it.each([
  ['companies', 'admin/companies.ts'],
  ['users', 'admin/users.ts'],
  ['personal_tokens', 'admin/tokens.ts'],
  ['console_sessions', 'admin/session-rows.ts'],
  ['sign_in_links', 'domain/people/sign-in-links.ts'],
  ['shown_identities', 'domain/people/sign-in-links.ts'],
  ['api_keys', 'domain/access/keyring.ts'],
  ['app_clients', 'domain/apps/clients.ts'],
  ['app_requests', 'domain/apps/requests.ts'],
  ['app_credentials', 'domain/apps/tokens.ts'],
  ['projects', 'api/projects.ts'],
  ['task_lists', 'api/task-lists.ts'],
  ['tasks', 'api/task-writes.ts'],
  ['comments', 'api/comment-record.ts'],
  ['comment_attachments', 'api/comment-attachments.ts'],
  ['discussion_subscriptions', 'domain/people/discussion-followers.ts'],
  ['notices', 'domain/people/notifications.ts'],
  ['notifications', 'jobs/notify-people.ts'],
  ['discussions', 'api/discussions.ts'],
  ['folders', 'api/folders.ts'],
  ['files', 'api/uploads.ts'],
  ['events', 'api/events.ts'],
  ['webhooks', 'admin/webhooks.ts'],
  ['webhook_deliveries', 'jobs/webhooks/outbox.ts'],
  ['webhook_attempts', 'jobs/webhooks/claims.ts'],
])('The table %s is inserted into in one place, %s', (table, place) => {
  const inserts = sources.flatMap(({ file, text }) =>
    [...text.matchAll(/\binsert into (\w+)/g)].filter(([, into]) => into === table).map(() => file),
  )
  expect(inserts).toEqual([place])
})
