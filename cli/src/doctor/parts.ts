import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { createRedisBurst } from '../../../src/adapters/burst-redis.ts'
import { createSmtpMailer } from '../../../src/adapters/mail-smtp.ts'
import { createClamdScanner } from '../../../src/adapters/scanner/clamd.ts'
import { createYaraScanner } from '../../../src/adapters/scanner/yara/scanner.ts'
import type { Config } from '../../../src/config.ts'
import { examine, type Finding } from '../../../src/domain/installation/health.ts'
import type { Condition } from '../../../src/domain/ports/condition.ts'
import type { Said } from '../../../src/domain/sentences/sentences.ts'
import { openIdentityProvider } from '../../../src/parts.ts'
import { off, ok } from './finding.ts'

/** Longer than a server waits for its parts: no caller waits for the doctor. */
const ANSWER_WITHIN_MS = 20_000

/** The other servers that Diwan talks to, each checked as a running node checks it. */
export async function lookAtParts(config: Config): Promise<Finding[]> {
  return Promise.all([lookAtRedis(config), lookAtScanner(config), lookAtMail(config), lookAtProvider(config)])
}

async function lookAtRedis({ redisUrl, burstPerMinute }: Config): Promise<Finding> {
  if (redisUrl === undefined) return off('redis', 'Not set up: each node counts bursts by itself.')
  return examine('redis', () => checkRedis(redisUrl, burstPerMinute), ANSWER_WITHIN_MS)
}

/** The first state that is reported tells whether it connects. */
async function checkRedis(url: string, perMinute: number): Promise<Condition> {
  let settle: (reason: string | undefined) => void = () => {}
  const settled = new Promise<string | undefined>(resolve => {
    settle = resolve
  })
  const redis = createRedisBurst(url, { perMinute, onStateChange: (_state, reason) => settle(reason) })
  try {
    const reason = await settled
    if (reason !== undefined) throw new Error(reason)
    return await redis.check()
  } finally {
    await redis.close()
  }
}

const RULES_ADVICE: Said =
  'Correct or remove the rules in the folder yara-rules of DATA_DIR: no worker starts with them.'

async function lookAtScanner({ clamdUrl, dataDir }: Config): Promise<Finding> {
  if (clamdUrl !== undefined) return examine('scanner', () => createClamdScanner(clamdUrl).check(), ANSWER_WITHIN_MS)
  const rulesFolder = join(dataDir, 'yara-rules')
  if (!existsSync(rulesFolder)) return ok('scanner', 'The workers scan uploads with their built-in rules.')
  const check = async () => {
    const scanner = await createYaraScanner({ rulesFolder })
    return scanner.check().finally(scanner.close)
  }
  return examine('scanner', check, ANSWER_WITHIN_MS, RULES_ADVICE)
}

async function lookAtMail({ smtpUrl, mailFrom }: Config): Promise<Finding> {
  if (!smtpUrl || !mailFrom)
    return off(
      'mail',
      'Not set up: notifications are stored but not mailed. Set SMTP_URL and MAIL_FROM to have them mailed.',
    )
  const mailer = createSmtpMailer(smtpUrl, mailFrom)
  return examine('mail', mailer.check, ANSWER_WITHIN_MS).finally(mailer.close)
}

async function lookAtProvider(config: Config): Promise<Finding> {
  const provider = await openIdentityProvider(config)
  if (!provider) return off('identity_provider', 'Not set up: people sign in to the console with tokens.')
  return examine('identity_provider', provider.check, ANSWER_WITHIN_MS)
}
