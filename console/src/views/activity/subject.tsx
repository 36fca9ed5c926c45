import type { Notification } from '../../api/types.ts'
import { Name } from '../../parts/text.tsx'
import { useActivityWords } from './words.ts'

/** What something is about, by the name it had then. */
export function Subject({ of: { type, title } }: { of: Notification['subject'] }) {
  const { subjects } = useActivityWords()
  return (
    <>
      <Name>{title}</Name> <span class="quiet">({subjects[type] ?? type})</span>
    </>
  )
}
