import { useRef, useState } from 'preact/hooks'
import { CallFailed } from './call.ts'

export interface Action<A extends unknown[]> {
  run: (...args: A) => Promise<boolean>
  busy: boolean
  failure: CallFailed | undefined
  /** The message for a field: the server's messages begin with the field at fault. */
  about: (field: string) => string | undefined
  /** The failure, unless a field that asked for it shows it. */
  rest: () => CallFailed | undefined
  clear: () => void
}

/** An action of the user: one at a time, with what the server said. `run` tells whether it succeeded. */
export function useAction<A extends unknown[]>(act: (...args: A) => Promise<unknown>): Action<A> {
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<CallFailed>()
  const run = async (...args: A) => {
    if (busy) return false
    setBusy(true)
    setFailure(undefined)
    try {
      await act(...args)
      return true
    } catch (error) {
      setFailure(error instanceof CallFailed ? error : new CallFailed(0, 'unexpected', String(error)))
      return false
    } finally {
      setBusy(false)
    }
  }
  const asking = useRef(new Set<string>()).current
  const field = failure?.code === 'unprocessable_entity' ? fieldOf(failure.message) : undefined
  const about = (name: string) => {
    asking.add(name)
    return name === field ? failure?.message : undefined
  }
  const rest = () => (field !== undefined && asking.has(field) ? undefined : failure)
  return { run, busy, failure, about, rest, clear: () => setFailure(undefined) }
}

/** The field itself comes first, as in `owner.email` or `kinds[0]`; in an Arabic message it is isolated. */
function fieldOf(message: string): string {
  return message.replace(/^\u2068/, '').split(/[\s[\u2069]/, 1)[0] as string
}
