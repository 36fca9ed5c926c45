import { randomBytes } from 'node:crypto'
import { PASSWORD, USERNAME } from './caldav-server.ts'
import { signIn } from './console.ts'
import { created, type Diwan } from './diwan.ts'
import { furnishEveryRecord } from './every-record.ts'
import { appAt, listTools } from './oauth.ts'
import type { Env } from './server-process.ts'

export const newSecret = () => randomBytes(24).toString('base64url')

/** What follows the prefix: whoever has that has the credential. */
const bare = (token: string) => token.slice(token.lastIndexOf('_') + 1)

/** Settings with a secret in each place that can have one; the parts behind them refuse it, or are not there. */
export function settingsWithSecrets(port: number) {
  const secrets = {
    'the server secret': newSecret(),
    'the operator token': newSecret(),
    'the password of SMTP': newSecret(),
    'the secret of the identity provider': newSecret(),
    'the key of the collector': newSecret(),
  }
  const env: Env = {
    SERVER_SECRET: secrets['the server secret'],
    OPERATOR_TOKEN: secrets['the operator token'],
    SMTP_URL: `smtp://diwan:${secrets['the password of SMTP']}@127.0.0.1:1`,
    MAIL_FROM: 'diwan@example.com',
    PORT: String(port),
    PUBLIC_URL: `http://127.0.0.1:${port}`,
    OIDC_ISSUER: 'http://127.0.0.1:1',
    OIDC_CLIENT_ID: 'diwan',
    OIDC_CLIENT_SECRET: secrets['the secret of the identity provider'],
    OIDC_NAME: 'Najd account',
    OTEL_EXPORTER_OTLP_HEADERS: `api-key=${secrets['the key of the collector']}`,
    LOG_LEVEL: 'trace',
  }
  return { secrets, env }
}

/** Makes every kind of credential, uses each, and sends each where it does not belong. */
export async function makeEverySecret(diwan: Diwan, calendarUrl: string | undefined) {
  const { company } = await furnishEveryRecord(diwan)
  const { data: key } = await created(company.admin.post('/keys', { name: 'A', access: 'write' }))
  const rotated = await created(company.admin.post(`/keys/${key.id}/rotate`, {}))
  const person = await diwan.person(company.id, { role: 'manager' })
  const session = await signIn(diwan, { token: person.token })
  const operatorSession = await signIn(diwan, { token: diwan.operatorToken })
  const invited = await created(company.admin.post('/users', { name: 'Huda', email: 'huda@example.com' }))
  const accepted = await created(
    diwan.client('/admin/v1').post('/invitations/accept', { code: invited.data.invitation.code }),
  )
  const hook = { name: 'All', url: 'http://127.0.0.1:1/', kinds: ['*'] }
  const webhook = await created(company.admin.post('/webhooks', hook))
  const renewed = await company.admin.post(`/webhooks/${webhook.data.id}/rotate`)
  const sandbox = await created(company.admin.post('/sandbox'))
  const app = await appAt(diwan.url).connected(company, { access: 'write' })
  const next = await appAt(diwan.url).refresh(app.client_id, app.refreshToken)
  await listTools(diwan.url, next.body.access_token)
  if (calendarUrl !== undefined)
    await created(company.admin.post('/calendars', { url: calendarUrl, username: USERNAME, password: PASSWORD }))
  const refusedPassword = newSecret()
  await company.admin.post('/calendars', { url: 'http://127.0.0.1:1/', username: 'x', password: refusedPassword })

  const tokens: Record<string, string> = {
    'the key of a company': company.key,
    'a key': key.key,
    'the key that replaced it': rotated.data.key,
    'the token of an owner': company.ownerToken,
    'the token of a person': person.token,
    'the token of somebody who was invited': accepted.data.token,
    'the code of an invitation': invited.data.invitation.code,
    'a session': session.cookie,
    'a session of the operator': operatorSession.cookie,
    'the secret of a webhook': webhook.data.secret,
    'the secret that replaced it': renewed.body.data.secret,
    'the token of a sandbox': sandbox.data.owner_token,
    'the key of a sandbox': sandbox.data.key,
    'the code of an app': app.code,
    'an access token': next.body.access_token,
    'the access token before': app.access,
    'a refresh token': next.body.refresh_token,
    'the refresh token before': app.refreshToken,
  }
  // Where it does not belong: in the query, in the cookie, in a body that is refused, for the other surface.
  for (const token of Object.values(tokens)) {
    const headers = { authorization: `Bearer ${token}`, cookie: `diwan_session=${token}` }
    await diwan.client('').get(`/api/v1/me?access_token=${token}`, headers)
    await diwan.client('').get(`/admin/v1/me?token=${token}`, headers)
    await diwan.client('/admin/v1').post('/sessions', { token })
    await diwan.client('', company.key).post('/api/v1/projects', { title: token })
  }
  return {
    company,
    secrets: {
      ...Object.fromEntries(Object.entries(tokens).map(([name, token]) => [name, bare(token)])),
      'the password of a calendar': PASSWORD,
      'a refused password of a calendar': refusedPassword,
      'the proof of an app': app.code_verifier,
    },
  }
}
