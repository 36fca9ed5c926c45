import type { ComponentProps } from 'preact'
import { CallFailed } from '../api/call.ts'
import { useLoading } from '../api/use-answer.ts'
import { Loaded } from '../parts/loaded.tsx'
import type { Consent } from '../views/apps/consent.tsx'

/** The page on which somebody decides about an app. Its code is loaded when an app asks. */
export function LazyConsent(props: ComponentProps<typeof Consent>) {
  const code = useLoading(async () => {
    try {
      return { view: (await import('../views/apps/consent.tsx')).Consent }
    } catch {
      throw new CallFailed(0, 'unreachable', 'The console could not be loaded.')
    }
  }, [])
  if (code.data) {
    const { view: Shown } = code.data
    return <Shown {...props} />
  }
  return (
    <main class="alone">
      <Loaded of={code}>{() => null}</Loaded>
    </main>
  )
}
