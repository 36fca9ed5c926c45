import { spawnSync } from 'node:child_process'
import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll } from 'vitest'
import { newFolder } from './server-process.ts'

/** What a name server says to a name: its IPv4 address, that there is no such name, or nothing at all. */
type Said = number[] | 'no such name' | undefined

const sockets: Socket[] = []
afterAll(() => {
  for (const socket of sockets) socket.close()
})

/** A name server on loopback. It says nothing unless it is told what to say. */
export async function startNameServer(
  say: (name: string) => Said = () => undefined,
  place = { address: '127.0.0.1', port: 0 },
) {
  const questions: string[] = []
  const socket = createSocket('udp4')
  socket.on('message', (question, from) => {
    const name = readName(question)
    const isForIPv4 = question[question.indexOf(0, 12) + 2] === 1
    questions.push(`${name} ${isForIPv4 ? 'A' : 'AAAA'}`)
    const said = say(name)
    if (said) socket.send(answerTo(question, said, isForIPv4), from.port, from.address)
  })
  socket.bind(place.port, place.address)
  await once(socket, 'listening')
  sockets.push(socket)
  return { questions, nameServers: [`${place.address}:${(socket.address() as AddressInfo).port}`] }
}

function readName(question: Buffer): string {
  const labels: string[] = []
  for (let at = 12; question[at] !== 0; at += 1 + (question[at] as number))
    labels.push(question.toString('latin1', at + 1, at + 1 + (question[at] as number)))
  return labels.join('.')
}

function answerTo(question: Buffer, said: NonNullable<Said>, isForIPv4: boolean): Buffer {
  const asked = question.subarray(12, question.indexOf(0, 12) + 5)
  const address = isForIPv4 && said !== 'no such name' ? said : undefined
  const code = said === 'no such name' ? 3 : 0
  const header = [question[0], question[1], 0x81, 0x80 + code, 0, 1, 0, address ? 1 : 0, 0, 0, 0, 0] as number[]
  const answer = address ? [0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4, ...address] : []
  return Buffer.concat([Buffer.from(header), asked, Buffer.from(answer)])
}

/**
 * Put before a command, so that it asks the name server at this address, on the port that all ask. Undefined without the right
 * to mount, which it takes.
 */
export function askingNameServerAt(address: string): string[] | undefined {
  const file = join(newFolder(), 'resolv.conf')
  writeFileSync(file, `nameserver ${address}\n`)
  const under = ['unshare', '--mount', 'sh', '-c', 'mount --bind "$0" /etc/resolv.conf && exec "$@"', file]
  return spawnSync(under[0] as string, [...under.slice(1), 'true']).status === 0 ? under : undefined
}
