import type { ComponentChildren } from 'preact'
import { useCompany, useStanding } from '../frame/standing.ts'
import { words } from '../words/language.ts'
import { Link } from './button.tsx'

const useNextWords = words({
  en: {
    createKey: 'Create an API key',
    callApi: 'Call the API in the explorer',
    createWebhook: 'Create a webhook',
    projects: 'Go to the projects',
  },
  ar: {
    createKey: 'إنشاء مفتاح API',
    callApi: 'استدعاء API من المستكشف',
    createWebhook: 'إنشاء خطاف ويب',
    projects: 'الانتقال إلى المشاريع',
  },
})

const STEPS = {
  createKey: ['createKey', 'keys/new'],
  callApi: ['listKeys', 'explorer'],
  createWebhook: ['createWebhook', 'webhooks/new'],
  projects: ['readProjects', 'projects'],
} as const

/** That there is nothing, and what would change that: for those who may do it. */
export function NothingYet({ next, children }: { next: keyof typeof STEPS; children: ComponentChildren }) {
  const t = useNextWords()
  const { id } = useCompany()
  const { may } = useStanding()
  const [needs, path] = STEPS[next]
  return (
    <>
      <p>{children}</p>
      {may(needs) && (
        <Link class="button" to={`/companies/${id}/${path}`}>
          {t[next]}
        </Link>
      )}
    </>
  )
}
