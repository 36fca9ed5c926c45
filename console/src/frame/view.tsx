import type { ComponentType } from 'preact'
import { useErrorBoundary } from 'preact/hooks'
import { CallFailed } from '../api/call.ts'
import { useLoading } from '../api/use-answer.ts'
import { FailureNote } from '../parts/failure.tsx'
import { Loaded } from '../parts/loaded.tsx'
import type { Route } from './routes.ts'
import type { ViewProps } from './view-props.ts'

/** Loads the code of a view and shows it. If a view fails, the menu stays. */
export function View({ route, params }: { route: Route; params: Record<string, string> }) {
  const [broken] = useErrorBoundary(error => console.error(error))
  const code = useLoading(() => loadView(route), [route.path])
  if (broken) return <FailureNote failure={new CallFailed(500, 'unexpected', String(broken))} />
  return <Loaded of={code}>{({ view: Shown }) => <Shown params={params} />}</Loaded>
}

async function loadView({ load }: Route): Promise<{ view: ComponentType<ViewProps> }> {
  try {
    return { view: (await load()).default }
  } catch {
    throw new CallFailed(0, 'unreachable', 'The console could not be loaded.')
  }
}
