import type { Endpoints } from '../api/types.ts'
import { go } from '../frame/address.ts'
import type { Choices } from '../frame/choices.tsx'
import { COMPANY_ROUTES, SERVICE_ROUTES } from '../frame/routes.ts'
import { useStanding } from '../frame/standing.ts'
import { useFrameWords } from '../frame/words.ts'
import type { IconName } from '../parts/icon.tsx'
import { usePaletteWords } from './words.ts'

export interface Entry {
  id: string
  group: string
  label: string
  /** Stands after the label, such as the project of a task. */
  about?: string | undefined
  icon: IconName
  run: () => void
  /** What it is found by: its name in both languages, because people remember either. */
  names: string[]
}

/** The views that the reader may open. */
export function useViews(): Entry[] {
  const t = useFrameWords()
  const group = usePaletteWords()
  const { company, may } = useStanding()
  return [...(company ? COMPANY_ROUTES : []), ...SERVICE_ROUTES].flatMap(({ path, menu, needs }) => {
    if (!menu || (needs && !may(needs))) return []
    const names = [useFrameWords.en.views[menu.label], useFrameWords.ar.views[menu.label]]
    const to = path.replace(':company', String(company?.id))
    const entry = { id: path, group: group.views, label: t.views[menu.label], icon: menu.icon, names }
    return [{ ...entry, run: () => go(to) }]
  })
}

type ActionName = Exclude<keyof ReturnType<typeof usePaletteWords>, 'title' | 'field' | 'views' | 'actions'>

/** What can be done from anywhere, as far as the reader may. */
export function useActions(choices: Choices, listKeys: () => void): Entry[] {
  const t = usePaletteWords()
  const { company, may, signOut } = useStanding()
  const newTask = document.querySelector<HTMLElement>('[data-new-task]')
  const root = `/companies/${company?.id}`
  const at = (name: ActionName, needs: keyof Endpoints, to: string, icon: IconName = 'plus') =>
    company && may(needs) ? action(name, icon, () => go(root + to)) : []
  const action = (name: ActionName, icon: IconName, run: () => void): Entry[] => [
    {
      id: name,
      group: t.actions,
      label: t[name],
      icon,
      run,
      names: [usePaletteWords.en[name], usePaletteWords.ar[name]],
    },
  ]
  return [
    ...(newTask ? action('newTask', 'plus', () => newTask.focus()) : []),
    ...at('newProject', 'createProject', '/projects?new=yes'),
    ...at('newKey', 'createKey', '/keys/new'),
    ...at('newWebhook', 'createWebhook', '/webhooks/new'),
    ...at('invite', 'createUser', '/people', 'people'),
    ...action('keyboard', 'keyboard', listKeys),
    ...action('dark', 'sun', () => choices.setAppearance('dark')),
    ...action('light', 'sun', () => choices.setAppearance('light')),
    ...action('other', 'settings', () => choices.setLanguage(choices.language === 'en' ? 'ar' : 'en')),
    ...action('signOut', 'leave', () => void signOut()),
  ]
}

/** Without case, accents, vowel signs and the letters that Arabic writers exchange. */
function folded(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').replaceAll('ة', 'ه').replaceAll('ى', 'ي').toLowerCase()
}

/** Those in whose name every typed word begins a word; what begins with the typed text comes first. */
export function matching(entries: Entry[], typed: string): Entry[] {
  const text = folded(typed.trim())
  const wanted = text.split(/\s+/)
  const isMeant = (name: string) =>
    wanted.every(word => ` ${name}`.includes(` ${word}`) || ` ${name}`.includes(` ال${word}`))
  const ranked = entries.flatMap(entry => {
    const names = entry.names.map(folded)
    return names.some(isMeant) ? [{ entry, isFirst: names.some(name => name.startsWith(text)) }] : []
  })
  return ranked.sort((one, other) => Number(other.isFirst) - Number(one.isFirst)).map(({ entry }) => entry)
}
