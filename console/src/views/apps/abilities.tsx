import type { Operation, OperationLevel } from '../../api/types.ts'
import { Note } from '../../parts/text.tsx'
import { type Resource, useAccessWords } from '../../words/access.ts'
import { LANGUAGES, useLanguage } from '../../words/language.ts'
import type { KeyDraft } from '../keys/key-form.tsx'
import { useAppsWords } from './words.ts'

/** What an app will be able to do, in plain sentences. */
export function Abilities({ of: { operations, expires } }: { of: KeyDraft }) {
  const t = useAppsWords()
  const words = useAccessWords()
  const list = new Intl.ListFormat(LANGUAGES[useLanguage()].locale, { type: 'conjunction' })
  const what = (level: OperationLevel) =>
    operations.filter(operation => levelOf(operation) === level).map(each => words.resources[resourceOf(each)])
  const levels = [
    ['read', t.reads],
    ['write', t.writes],
    ['destructive', t.deletes],
  ] as const
  const has = (level: OperationLevel) => what(level).length > 0
  return (
    <section class="abilities" aria-labelledby="abilities">
      <h2 id="abilities">{t.will}</h2>
      {operations.length === 0 && <Note tone="warn">{t.nothing}</Note>}
      <ul>
        {levels
          .filter(([level]) => has(level))
          .map(([level, text]) => (
            <li key={level} class={level === 'destructive' ? 'problem' : undefined}>
              {text.replace('{what}', list.format(what(level)))}
            </li>
          ))}
        {!has('destructive') && <li>{has('write') ? t.cannotDelete : t.cannotWrite}</li>}
        {has('write') && <li>{t.inYourName}</li>}
        <li>{t.seesAll}</li>
        <li>{expires ? t.untilExpiry : t.untilRevoked}</li>
      </ul>
    </section>
  )
}

const resourceOf = (operation: Operation) => operation.split(':')[0] as Resource
const levelOf = (operation: Operation) => operation.split(':')[1] as OperationLevel
