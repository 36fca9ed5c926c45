import { Field, SelectField, TextField } from '../../parts/form.tsx'
import { type Filled, fieldOf } from './api-request.ts'
import { Described } from './described.tsx'
import type { Endpoint, Parameter } from './description.ts'
import { useExplorerWords } from './words.ts'

interface ParametersProps {
  endpoint: Endpoint
  filled: Filled
  onChange: (filled: Filled) => void
}

const PLACES = ['path', 'query', 'header'] as const

/** Fields for everything an endpoint takes. Rarely needed ones are collapsed. */
export function Parameters({ endpoint, filled, onChange }: ParametersProps) {
  const t = useExplorerWords()
  const titles = { path: t.path, query: t.query, header: t.headers }
  const set = (parameter: Parameter, value: string) =>
    onChange({ ...filled, values: { ...filled.values, [fieldOf(parameter)]: value } })
  return (
    <>
      {PLACES.map(place => {
        const parameters = endpoint.parameters.filter(parameter => parameter.in === place)
        if (parameters.length === 0) return null
        const fields = (
          <div class="parameters">
            {parameters.map(parameter => (
              <ParameterField
                key={parameter.name}
                of={parameter}
                value={filled.values[fieldOf(parameter)] ?? ''}
                onChange={value => set(parameter, value)}
              />
            ))}
          </div>
        )
        return place === 'path' ? (
          <fieldset key={place}>
            <legend>{titles[place]}</legend>
            {fields}
          </fieldset>
        ) : (
          <details key={place}>
            <summary>{titles[place]}</summary>
            {fields}
          </details>
        )
      })}
      {endpoint.example !== undefined && (
        <Field label={t.body} hint={t.bodyHint}>
          {described => (
            <textarea
              {...described}
              class="code request-body"
              dir="ltr"
              spellcheck={false}
              rows={Math.min(Math.max(filled.body.split('\n').length, 4), 16)}
              value={filled.body}
              onInput={event => onChange({ ...filled, body: event.currentTarget.value })}
            />
          )}
        </Field>
      )}
    </>
  )
}

interface ParameterFieldProps {
  of: Parameter
  value: string
  onChange: (value: string) => void
}

function ParameterField({ of: { name, description, schema }, value, onChange }: ParameterFieldProps) {
  const t = useExplorerWords()
  const hint = description && <Described text={description} />
  if (!schema.enum)
    return <TextField label={name} hint={hint} code value={value} onChange={onChange} autoComplete="off" />
  const options = schema.enum.filter(one => one !== null).map(one => [String(one), String(one)] as const)
  return (
    <SelectField label={name} hint={hint} value={value} onChange={onChange} options={[['', t.unset], ...options]} />
  )
}
