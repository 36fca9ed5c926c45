import type { Language, Role } from '../../api/types.ts'
import type { Action } from '../../api/use-action.ts'
import { useCatalog } from '../../api/use-catalog.ts'
import { useFrameWords } from '../../frame/words.ts'
import { CheckField, SelectField, TextField } from '../../parts/form.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { useCommonWords } from '../../words/common.ts'
import { LANGUAGES } from '../../words/language.ts'
import { useMayPromote } from './rules.ts'
import { usePeopleWords } from './words.ts'

export interface PersonDraft {
  name: string
  email: string
  role: Role
  can_manage_api_keys: boolean
  language: Language
}

interface PersonFieldsProps {
  draft: PersonDraft
  onChange: (draft: PersonDraft) => void
  action: Action<[]>
}

/** What is written of a person, when one is added and when one is changed. */
export function PersonFields({ draft, onChange, action }: PersonFieldsProps) {
  const common = useCommonWords()
  const set = (change: Partial<PersonDraft>) => onChange({ ...draft, ...change })
  return (
    <>
      <TextField
        label={common.name}
        value={draft.name}
        onChange={name => set({ name })}
        problem={action.about('name')}
        maxLength={255}
        autoFocus
        autoComplete="off"
      />
      <TextField
        label={common.email}
        type="email"
        value={draft.email}
        onChange={email => set({ email })}
        problem={action.about('email')}
        maxLength={255}
        autoComplete="off"
      />
      <Terms draft={draft} set={set} />
    </>
  )
}

function Terms({ draft, set }: { draft: PersonDraft; set: (change: Partial<PersonDraft>) => void }) {
  const t = usePeopleWords()
  const { roles } = useFrameWords()
  const promotes = useMayPromote()
  const catalog = useCatalog()
  return (
    <Loaded of={catalog}>
      {({ roles: offered, languages }) => (
        <>
          <SelectField
            label={t.language}
            value={draft.language}
            onChange={language => set({ language })}
            options={languages.map(code => [code, LANGUAGES[code].name] as const)}
          />
          {promotes ? (
            <>
              <SelectField
                label={t.role}
                hint={t.roleHints[draft.role]}
                value={draft.role}
                onChange={role => set({ role })}
                options={offered.map(role => [role, roles[role]] as const)}
              />
              {draft.role === 'owner' ? (
                <p class="quiet">{t.ownersAlways}</p>
              ) : (
                <CheckField
                  label={t.mayManageKeys}
                  hint={t.keysHint}
                  checked={draft.can_manage_api_keys}
                  onChange={can_manage_api_keys => set({ can_manage_api_keys })}
                />
              )}
            </>
          ) : (
            <p class="quiet">{t.onlyOwners}</p>
          )}
        </>
      )}
    </Loaded>
  )
}
