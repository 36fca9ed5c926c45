import { ORIGIN } from './code-samples.ts'

/** What the reference page says before it lists the endpoints: the rules that apply to all of them. */
export const CHAPTERS = `
Projects, task lists, tasks, discussions, files and events of a company, over JSON. Arabic and English are equals: names, search and
slugs work in both.

# Getting started

Every request carries an API key. The server prints the key of its demo company when it starts for the first time. Enter it under
**Authentication** on this page to try the endpoints here, or put it into your shell to run the samples:

\`\`\`sh
export DIWAN_KEY=svc_api_…
\`\`\`

The samples name records of the demo company, so you can run them as they are. Those in JavaScript use the client, \`@diwan/client\`; those
in Python need nothing but Python. The key of the demo company cannot delete: make one that may in the console.

\`\`\`sh
curl -X POST "${ORIGIN}/api/v1/projects" \\
  -H 'Authorization: Bearer '"$DIWAN_KEY" \\
  -H 'Content-Type: application/json' \\
  -d '{"name": "افتتاح فرع جدة", "start_date": "2027-03-01"}'
\`\`\`

Bodies are flat JSON objects. Unknown fields are dropped and named in \`X-Ignored-Fields\`, unknown query parameters in
\`X-Ignored-Parameters\`. In a \`PATCH\`, a field that you leave out stays as it is, and \`null\` clears it.

A record is addressed by its ref, which never changes (\`/tasks/tsk-0q8v5n2jyt\`), or below its project by slugs
(\`/projects/website-launch/lists/design\`). Slugs keep Arabic letters; in a URL they are percent-encoded:

\`\`\`sh
curl -H 'Authorization: Bearer '"$DIWAN_KEY" \\
  "${ORIGIN}/api/v1/projects/%D8%A7%D9%81%D8%AA%D8%AA%D8%A7%D8%AD-%D9%81%D8%B1%D8%B9-%D8%A7%D9%84%D8%B1%D9%8A%D8%A7%D8%B6/lists"
\`\`\`

# Errors

An error has a code for programs and a message for people. \`X-Request-Id\` identifies the request in the logs of the server.

\`\`\`json
{ "error": { "code": "unprocessable_entity", "message": "title can't be blank" } }
\`\`\`

| Status | Code | Meaning | Try again? |
|---|---|---|---|
| 401 | \`unauthorized\` | The key is missing or not valid | no |
| 403 | \`forbidden\` | The key may not do this, or the project is archived | no |
| 403 | \`plan_upgrade_required\` | The plan does not include this | no |
| 404 | \`not_found\` | There is no such record within reach | no |
| 404 | \`unknown_endpoint\` | There is no such endpoint | no |
| 409 | \`conflict\` | Another request was faster | yes |
| 410 | \`cursor_expired\` | The cursor of the feed is too old | with the cursor in the error |
| 412 | \`precondition_failed\` | The record has changed since you read it | after reading it again |
| 422 | \`unprocessable_entity\` | The request has a mistake; the message begins with the field | after fixing it |
| 429 | \`rate_limit_exceeded\` | The allowance of the day is spent | after \`Retry-After\` |
| 429 | none | Too many requests in a minute; \`error\` is a plain string | after \`Retry-After\` |
| 500 | \`internal_error\` | A fault of the server | perhaps |
| 503 | \`unavailable\` | The service is busy or a part of it is away | soon |

To repeat a \`POST\` safely, send an \`Idempotency-Key\` of your choice: within 24 hours the same request under the same key is carried out
once and gets the same answer. To change a record only if nobody else has, send its \`ETag\` as \`If-Match\`.

# Limits

| Limit | How much | What tells you |
|---|---|---|
| Calls in a day | by plan; the day ends at midnight in the time zone of the company | \`X-RateLimit-Limit\`, \`X-RateLimit-Remaining\`, \`X-RateLimit-Reset\` |
| Requests in a minute | 300 for each key and each address | 429 with \`Retry-After\` |
| A body | 1 MiB; an upload 30 MiB, of which the file is at most 5 MB | 422 |
| A page | 100 records | \`meta.limit\` |
| Names and titles | 255 characters | 422 |
| Descriptions, notes and comments | 65,535 characters | 422 |

# Pages

Collections come in pages: \`limit\` is 50 by default and 100 at most. \`meta.total\` counts all records. To read on, pass \`meta.next_cursor\`
as \`cursor\`, or follow the \`Link\` header; on the last page the cursor is null. A cursor keeps its place while records are added and
removed. \`offset\` works as well, and suits pages that people leaf through.

\`\`\`sh
curl -H 'Authorization: Bearer '"$DIWAN_KEY" "${ORIGIN}/api/v1/company/tasks?completed=false&limit=2"
\`\`\`

\`\`\`json
{ "data": [], "meta": { "total": 5, "limit": 2, "offset": 0, "count": 2, "next_cursor": "…" } }
\`\`\`

# The feed of changes

\`GET /company/changes\` answers one question: what has happened since I last looked? Without \`after\` it gives only \`meta.next_cursor\`, the
end of the feed. Keep it, and ask again with \`?after=\`. Nothing is left out, entries are in the order of commits, and one may come twice.
An entry says which record changed; read the record itself by its id.

\`\`\`sh
curl -H 'Authorization: Bearer '"$DIWAN_KEY" "${ORIGIN}/api/v1/company/changes"
\`\`\`

With \`Accept: text/event-stream\` the same address sends changes as they happen. After a broken connection, come back with
\`Last-Event-ID\`. The client does both for you:

\`\`\`js
for await (const change of diwan.changes()) {
  console.log(change.kind, change.change, change.id)
}
\`\`\`

Entries are kept for 30 days. An older cursor is 410 \`cursor_expired\`: read the collections again, and go on from \`error.cursor\`.

# Webhooks

Instead of asking, have Diwan call you. A webhook is made in the console or on the administration surface; it has an https address, the
kinds of changes that it wants, and a secret that is shown once. Each message is a \`POST\` signed by the rules of
[Standard Webhooks](https://www.standardwebhooks.com): verify \`webhook-signature\` before you believe a message, and use \`webhook-id\` to
recognize one that comes twice.

\`\`\`js
import { verifyWebhook } from '@diwan/client'

const message = await verifyWebhook({ secret, headers: request.headers, body: await request.text() })
if (message.type === 'task.completed') console.log('اكتملت المهمة:', message.data.title)
\`\`\`

Answer with any 2xx status within 15 seconds. Anything else is tried again, with longer and longer pauses.
`.trim()
