import { useStanding } from '../../frame/standing.ts'
import { useLanguage } from '../../words/language.ts'
import { zoneName } from './formats.ts'
import { useEventsWords } from './words.ts'

/** Names the zone of the company to whoever is in another. */
export function ZoneNote() {
  const t = useEventsWords()
  const language = useLanguage()
  const { zone } = useStanding()
  if (zone === Intl.DateTimeFormat().resolvedOptions().timeZone) return null
  return <p class="hint">{t.zone(zoneName(language, zone))}</p>
}
