import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { createRedisBurst } from '../../../src/adapters/burst-redis.ts'
import { createSmtpMailer } from '../../../src/adapters/mail-smtp.ts'
import { createClamdScanner } from '../../../src/adapters/scanner/clamd.ts'
import { createYaraScanner } from '../../../src/adapters/scanner/yara/scanner.ts'
import type { Config } from '../../../src/config.ts'
import { ADVICE } from '../../../src/domain/health.ts'
import type { Condition } from '../../../src/domain/ports/condition.ts'
import { NO_MAILER } from '../../../src/domain/ports/mailer.ts'
import { type Finding, look, off, ok } from './finding.ts'

/** The other servers that Diwan talks to, each checked as a running node checks it. */
export async function lookAtParts(config: Config): Promise<Finding[]> {
  return Promise.all([lookAtRedis(config), lookAtScanner(config), lookAtMail(config)])
}

async function lookAtRedis({ redisUrl, burstPerMinute }: Config): Promise<Finding> {
  if (redisUrl === undefined) return off('redis', 'Not set up: each node counts bursts by itself.')
  return look('redis', ADVICE.redis, () => checkRedis(redisUrl, burstPerMinute))
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

const RULES_ADVICE = 'Correct or remove the rules in the folder yara-rules of DATA_DIR: no worker starts with them.'

async function lookAtScanner({ clamdUrl, dataDir }: Config): Promise<Finding> {
  if (clamdUrl !== undefined) return look('scanner', ADVICE.scanner, () => createClamdScanner(clamdUrl).check())
  const rulesFolder = join(dataDir, 'yara-rules')
  if (!existsSync(rulesFolder)) return ok('scanner', 'The workers scan uploads with their built-in rules.')
  return look('scanner', RULES_ADVICE, async () => {
    const scanner = await createYaraScanner({ rulesFolder })
    try {
      return await scanner.check()
    } finally {
      await scanner.close()
    }
  })
}

async function lookAtMail({ smtpUrl, mailFrom }: Config): Promise<Finding> {
  if (!smtpUrl || !mailFrom) return off('mail', `${NO_MAILER.message} ${NO_MAILER.advice}`)
  return look('mail', ADVICE.mail, async () => {
    const mailer = createSmtpMailer(smtpUrl, mailFrom)
    try {
      return await mailer.check()
    } finally {
      mailer.close()
    }
  })
}
