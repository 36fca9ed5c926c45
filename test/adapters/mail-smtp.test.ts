import { type AddressInfo, createServer, type Socket } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { createSmtpMailer } from '../../src/adapters/mail-smtp.ts'
import { startMailServer } from '../support/mail-server.ts'
import { until } from '../support/servers.ts'

const FROM = 'Diwan <diwan@example.com>'
const MAIL = { to: 'omar@example.com', subject: 'Hello', text: 'Hello', html: '<p>Hello</p>', references: [] }
const mailOf = (n: number) => ({ ...MAIL, messageId: `<${n}@diwan>` })

const closing: (() => void)[] = []
afterEach(() => {
  for (const close of closing.splice(0)) close()
})

/** A server that answers as far as a command, and from then on sends a line of its answer now and then, without ever ending it. */
async function startTrickling(from: 'greeting' | 'data') {
  const open = new Set<Socket>()
  let connections = 0
  const server = createServer(socket => {
    connections++
    open.add(socket)
    const timers: NodeJS.Timeout[] = []
    const trickle = (code: number) => timers.push(setInterval(() => socket.write(`${code}-wait\r\n`), 50))
    socket.on('error', () => {})
    socket.on('close', () => {
      for (const timer of timers) clearInterval(timer)
      open.delete(socket)
    })
    if (from === 'greeting') return trickle(220)
    socket.write('220 ready\r\n')
    let isData = false
    socket.on('data', bytes => {
      const text = bytes.toString('latin1')
      if (isData) return text.endsWith('\r\n.\r\n') ? trickle(250) : undefined
      isData = /^data/im.test(text)
      socket.write(isData ? '354 go on\r\n' : '250 ok\r\n')
    })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  closing.push(() => {
    for (const socket of open) socket.destroy()
    server.close()
  })
  const url = `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { url, open: () => open.size, connections: () => connections }
}

describe('A mail', () => {
  it.each(['greeting', 'data'] as const)(
    'to a server that trickles its answer to the %s is given up at the deadline, its connection closed, and tried no second time',
    async from => {
      const server = await startTrickling(from)
      const mailer = createSmtpMailer(server.url, FROM, 500)
      await expect(mailer.send(mailOf(1))).rejects.toThrow('gave no answer within 0.5 seconds')
      await until(async () => server.open() === 0)
      expect(server.connections()).toBe(1)
      mailer.close()
    },
  )

  it('that is given up leaves the others alone, and the mails after it go out', async () => {
    const server = await startMailServer()
    const mailer = createSmtpMailer(server.url, FROM, 2_000)
    server.mood = 'stall'
    const stalled = expect(mailer.send(mailOf(1))).rejects.toThrow('gave no answer')
    await until(async () => server.attempts() === 1)
    server.mood = 'accept'
    await Promise.all([2, 3, 4].map(n => mailer.send(mailOf(n))))
    await stalled
    await mailer.send(mailOf(5))
    expect(server.received.map(({ headers }) => headers['message-id']).sort()).toEqual(
      [2, 3, 4, 5].map(n => `<${n}@diwan>`),
    )
    mailer.close()
  })
})
