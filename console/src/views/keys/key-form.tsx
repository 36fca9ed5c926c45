import type { Access, Catalog, Operation, Right } from '../../api/types.ts'
import type { Action } from '../../api/use-action.ts'
import { CheckField, Form, SelectField, TextField } from '../../parts/form.tsx'
import { Card } from '../../parts/page.tsx'
import { Code } from '../../parts/text.tsx'
import { useAccessWords } from '../../words/access.ts'
import { ActsAsField } from './acts-as-field.tsx'
import { ExpiryField } from './expiry-field.tsx'
import { isWithin, Matrix } from './matrix.tsx'
import { useKeysWords } from './words.ts'
import '../../style/keys.css'

export interface KeyDraft {
  name: string
  access: Access
  operations: Operation[]
  rights: Right[]
  /** The clock time in the company's zone at which it expires; empty for never. */
  expires: string
  /** The id of a person; undefined where it cannot be chosen any more. */
  actsAs: string | undefined
}

interface KeyFormProps {
  catalog: Catalog
  draft: KeyDraft
  onChange: (draft: KeyDraft) => void
  action: Action<[]>
  submit: string
  onCancel: () => void
}

/** What a key is called and may do, for a new one and for one that exists. */
export function KeyForm({ catalog, draft, onChange, action, submit, onCancel }: KeyFormProps) {
  const t = useKeysWords()
  const set = (changes: Partial<KeyDraft>) => onChange({ ...draft, ...changes })
  return (
    <Form
      action={action}
      submit={submit}
      missing={draft.name.trim() === '' ? t.nameMissing : undefined}
      onCancel={onCancel}
    >
      <Card>
        <div class="stack narrow">
          <TextField
            label={t.name}
            hint={t.nameHint}
            problem={action.about('name')}
            value={draft.name}
            onChange={name => set({ name })}
            maxLength={255}
            autoFocus
            autoComplete="off"
          />
          <ExpiryField
            value={draft.expires}
            onChange={expires => set({ expires })}
            problem={action.about('expires_at')}
          />
          {draft.actsAs !== undefined && (
            <ActsAsField
              value={draft.actsAs}
              onChange={actsAs => set({ actsAs })}
              problem={action.about('created_by')}
            />
          )}
        </div>
      </Card>
      <Card>
        <div class="stack">
          <div class="narrow">
            <AccessField catalog={catalog} draft={draft} set={set} />
          </div>
          <Matrix
            catalog={catalog}
            access={draft.access}
            chosen={draft.operations}
            onChange={operations => set({ operations })}
          />
          {draft.access === 'write' && <Rights catalog={catalog} draft={draft} set={set} />}
        </div>
      </Card>
    </Form>
  )
}

interface PartProps {
  catalog: Catalog
  draft: KeyDraft
  set: (changes: Partial<KeyDraft>) => void
}

/** Choosing another access starts with its preset; going back to reading drops what that does not permit. */
export function AccessField({ catalog, draft, set }: PartProps) {
  const t = useKeysWords()
  const choose = (access: Access) => {
    const preset = catalog.presets.find(one => one.access === access)
    if (access === 'read' || !preset)
      set({ access, operations: draft.operations.filter(operation => isWithin(access, operation)), rights: [] })
    else
      set({
        access,
        operations: [...new Set([...draft.operations, ...preset.operations])],
        rights: [...new Set([...draft.rights, ...preset.rights])],
      })
  }
  return (
    <SelectField
      label={t.access}
      hint={t.accessHints[draft.access]}
      value={draft.access}
      onChange={choose}
      options={catalog.presets.map(({ access }) => [access, t.accesses[access]] as const)}
    />
  )
}

export function Rights({ catalog, draft, set }: PartProps) {
  const t = useKeysWords()
  const words = useAccessWords()
  const toggle = (right: Right, on: boolean) =>
    set({ rights: catalog.rights.filter(one => (one === right ? on : draft.rights.includes(one))) })
  return (
    <fieldset class="rights">
      <legend>{t.rights}</legend>
      {catalog.rights.map(right => (
        <CheckField
          key={right}
          name={right}
          label={
            <>
              {words.rights[right].name} <Code>{right}</Code>
            </>
          }
          hint={words.rights[right].means}
          checked={draft.rights.includes(right)}
          onChange={on => toggle(right, on)}
        />
      ))}
    </fieldset>
  )
}
