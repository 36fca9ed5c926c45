import { readFileSync } from 'node:fs'

/** Pauses a program with all of its child processes. The parent is first, so that it starts no more of them. */
export function pause(pid: number): void {
  process.kill(pid, 'SIGSTOP')
  for (const child of childrenOf(pid)) process.kill(child, 'SIGSTOP')
}

export function goOn(pid: number): void {
  for (const each of [...childrenOf(pid), pid]) process.kill(each, 'SIGCONT')
}

function childrenOf(pid: number): number[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number)
}
