import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort, until } from './servers.ts'

/** In two pieces, so that no scanner mistakes this source for the EICAR test file. */
export const EICAR = Buffer.from(['X5O!P%@AP[4\\PZX54(P^)7CC)7}$EICAR', '-STANDARD-ANTIVIRUS-TEST-FILE!$H+H*'].join(''))

export interface StartedClamd {
  url: string
  unixUrl: string
  pid: number
  /** Sends SIGKILL, which ends it in the middle of whatever it is doing. */
  kill(): Promise<void>
  stop(): Promise<void>
}

/** A real clamd with a single signature: the official ones are 200 MB and need the network. */
export async function startClamd(program: string, settings: string[] = []): Promise<StartedClamd> {
  const folder = mkdtempSync(join(tmpdir(), 'diwan-clamd-'))
  const port = await freePort()
  const socketPath = join(folder, 'clamd.sock')
  writeFileSync(join(folder, 'test.ndb'), `Eicar-Test:0:*:${EICAR.toString('hex')}\n`)
  const configuration = [
    `DatabaseDirectory ${folder}`,
    `TCPSocket ${port}`,
    'TCPAddr 127.0.0.1',
    `LocalSocket ${socketPath}`,
    'Foreground yes',
    'AlertExceedsMax yes',
    ...(process.getuid?.() === 0 ? ['User root'] : []),
    ...(settings.some(line => line.startsWith('StreamMaxLength')) ? [] : ['StreamMaxLength 10M']),
    ...settings,
  ]
  writeFileSync(join(folder, 'clamd.conf'), `${configuration.join('\n')}\n`)
  const child = spawn(program, ['-c', join(folder, 'clamd.conf')], { stdio: 'ignore' })
  const exited = new Promise<void>(resolve => child.once('exit', () => resolve()))
  const end = async (signal: NodeJS.Signals) => {
    if (child.exitCode === null && child.signalCode === null) child.kill(signal)
    await exited
    rmSync(folder, { recursive: true, force: true })
  }
  await until(() => answersPing(port))
  return {
    url: `tcp://127.0.0.1:${port}`,
    unixUrl: `unix:${socketPath}`,
    pid: child.pid as number,
    kill: () => end('SIGKILL'),
    stop: () => end('SIGTERM'),
  }
}

function answersPing(port: number): Promise<boolean> {
  return new Promise(resolve => {
    const socket = connect(port, '127.0.0.1', () => socket.write('zPING\0'))
    socket.on('data', data => {
      resolve(data.toString() === 'PONG\0')
      socket.destroy()
    })
    socket.on('error', () => resolve(false))
    socket.on('close', () => resolve(false))
  })
}
