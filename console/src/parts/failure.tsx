import { useEffect, useState } from 'preact/hooks'
import type { CallFailed } from '../api/call.ts'
import type { Loading } from '../api/use-answer.ts'
import { useCommonWords } from '../words/common.ts'
import { formatNumber, useLanguage } from '../words/language.ts'
import { Button } from './button.tsx'

/** The server's message: a sentence in the reader's language if the code says enough, and the server's own words. */
function useFailureText(failure: CallFailed | undefined): { headline: string; detail: string | undefined } {
  const t = useCommonWords()
  if (!failure) return { headline: '', detail: undefined }
  const headline = {
    0: t.unreachable,
    502: t.unreachable,
    504: t.unreachable,
    403: t.forbidden,
    404: t.notFound,
    429: t.throttled,
    503: t.busy,
  }[failure.status]
  return headline
    ? { headline, detail: headline === t.unreachable ? undefined : failure.message }
    : { headline: failure.message, detail: undefined }
}

/** For a form or a button: its result. */
export function FailureNote({ failure }: { failure: CallFailed | undefined }) {
  const t = useCommonWords()
  const { headline, detail } = useFailureText(failure)
  if (!failure) return null
  return (
    <div class="note bad" role="alert">
      <p>
        <bdi>{headline}</bdi>
      </p>
      {detail && (
        <p class="quiet" dir="auto">
          {detail}
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
      <FailureNote failure={failure} />
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
  const language = useLanguage()
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 500)
    return () => clearInterval(timer)
  }, [])
  const seconds = Math.ceil((until - now) / 1000)
  if (seconds <= 0) return <span class="quiet">{t.tryingAgain}</span>
  const duration = formatNumber(language, seconds, { style: 'unit', unit: 'second', unitDisplay: 'long' })
  return <span class="quiet">{t.tryingAgainIn(duration)}</span>
}
