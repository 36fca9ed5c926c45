import { useStanding } from '../frame/standing.ts'
import { words } from '../words/language.ts'
import { Badge, Note } from './text.tsx'

const useSandboxWords = words({
  en: {
    sandbox: 'Sandbox',
    isSandbox: 'This is a sandbox.',
    means: 'Nothing in it is real, and nobody is sent email. It is removed after 30 days without use.',
  },
  ar: {
    sandbox: 'بيئة تجريبية',
    isSandbox: 'هذه بيئة تجريبية.',
    means: 'لا شيء فيها حقيقي، ولا يُرسَل منها بريد إلى أحد. وتُزال إذا لم تُستخدم 30 يومًا.',
  },
})

/** On every view of a sandbox, so that nobody takes it for the company itself. */
export function SandboxNote() {
  const t = useSandboxWords()
  const { company } = useStanding()
  if (!company?.sandbox) return null
  return (
    <div class="above-view">
      <Note tone="warn">
        <p>
          <strong>{t.isSandbox}</strong> {t.means}
        </p>
      </Note>
    </div>
  )
}

/** Beside the name of a company that is one. */
export function SandboxBadge({ of: { sandbox } }: { of: { sandbox: boolean } }) {
  const t = useSandboxWords()
  return sandbox ? <Badge tone="warn">{t.sandbox}</Badge> : null
}
