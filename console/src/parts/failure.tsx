import { useEffect, useState } from 'preact/hooks'
import type { CallFailed } from '../api/call.ts'
import type { Loading } from '../api/use-answer.ts'
import { useCommonWords } from '../words/common.ts'
import { Button } from './button.tsx'
import { Told } from './text.tsx'

/**
 * The server's message: a sentence in the reader's language if the code says enough, and the server's own words. Only what was to be
 * shown can be out of sight: why something may not be done, the server's own sentence tells.
 */
function useFailureText(failure: CallFailed | undefined, isView: boolean) {
  const t = useCommonWords()
  if (!failure) return { headline: '', detail: undefined }
  const headline = {
    0: t.unreachable,
    502: t.unreachable,
    504: t.unreachable,
    403: isView ? t.forbidden : undefined,
    404: t.notFound,
    429: t.throttled,
    503: t.busy,
  }[failure.status]
  return headline
    ? { headline, detail: headline === t.unreachable ? undefined : failure.message }
    : { headline: failure.message, detail: undefined }
}

interface FailureNoteProps {
  failure: CallFailed | undefined
  /** It is about a view, and not about what somebody did. */
  isView?: boolean
}

/** For a form or a button: its result. */
export function FailureNote({ failure, isView = false }: FailureNoteProps) {
  const t = useCommonWords()
  const { headline, detail } = useFailureText(failure, isView)
  if (!failure) return null
  return (
    <div class="note bad" role="alert">
      <p>
        <Told>{headline}</Told>
      </p>
      {detail && (
        <p class="quiet">
          <Told>{detail}</Told>
        </p>
      )}
      {failure.requestId && failure.status >= 500 && (
        <p class="quiet">
          {t.requestId} <code>{failure.requestId}</code>
        </p>
      )}
    </div>
  )
}

/** For a view: what went wrong, when it is retried, and a way to retry now. */
export function LoadingFailed({ of: { failure, data, nextTryAt, reload } }: { of: Loading<unknown> }) {
  const t = useCommonWords()
  if (!failure) return null
  return (
    <div class={data === undefined ? 'standstill' : 'standstill slim'}>
      <FailureNote failure={failure} isView />
      {data !== undefined && <p class="quiet">{t.stale}</p>}
      {failure.passes && (
        <p class="row">
          {nextTryAt && <Countdown until={nextTryAt} />}
          <Button quiet onClick={reload}>
            {t.tryNow}
          </Button>
        </p>
      )}
    </div>
  )
}

function Countdown({ until }: { until: number }) {
  const t = useCommonWords()
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 500)
    return () => clearInterval(timer)
  }, [])
  const seconds = Math.ceil((until - now) / 1000)
  if (seconds <= 0) return <span class="quiet">{t.tryingAgain}</span>
  return <span class="quiet">{t.tryingAgainIn(seconds)}</span>
}
