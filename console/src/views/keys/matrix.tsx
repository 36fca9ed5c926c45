import type { Access, Catalog, Operation, OperationLevel } from '../../api/types.ts'
import { Button } from '../../parts/button.tsx'
import { CheckField } from '../../parts/form.tsx'
import { Table } from '../../parts/table.tsx'
import { Note } from '../../parts/text.tsx'
import { type Destructive, type Resource, useAccessWords } from '../../words/access.ts'
import { LANGUAGES, useLanguage } from '../../words/language.ts'
import { useKeysWords } from './words.ts'

interface MatrixProps {
  catalog: Catalog
  access: Access
  chosen: Operation[]
  onChange: (operations: Operation[]) => void
}

const resourceOf = (operation: Operation) => operation.split(':')[0] as Resource
const isDestructive = (operation: Operation): operation is Destructive => operation.endsWith(':destructive')

/** The limit of an access, as the presets show it: read access allows nothing else. */
export function isWithin(access: Access, operation: Operation): boolean {
  return access === 'write' || operation.endsWith(':read')
}

/** Resource by level. Reading and writing can be ticked together; what deletes is ticked one by one. */
export function Matrix({ catalog, access, chosen, onChange }: MatrixProps) {
  const t = useKeysWords()
  const words = useAccessWords()
  const offered = catalog.operations.filter(({ name }) => isWithin(access, name))
  const resources = [...Map.groupBy(offered, ({ resource }) => resource as Resource)]
  const levels = [...new Set(offered.map(({ level }) => level))]
  const toggle = (operation: Operation, on: boolean) =>
    onChange(offered.map(({ name }) => name).filter(name => (name === operation ? on : chosen.includes(name))))

  return (
    <fieldset class="matrix">
      <legend>{t.operations}</legend>
      <Shortcuts catalog={catalog} access={access} chosen={chosen} onChange={onChange} />
      <Table
        label={t.operations}
        rows={resources}
        keyOf={([resource]) => resource}
        columns={[
          { title: t.resource, main: true, show: ([resource]) => words.resources[resource] },
          ...levels.map(level => ({
            title: words.levels[level],
            show: ([resource, operations]: (typeof resources)[number]) => {
              const operation = operations.find(one => one.level === level)?.name
              if (!operation) return <span class="quiet">—</span>
              const label = `${words.resources[resource]}: ${words.levels[level]}`
              return (
                <CheckField
                  name={operation}
                  label={<span class="read-out">{label}</span>}
                  hint={isDestructive(operation) ? words.destroys[operation] : undefined}
                  checked={chosen.includes(operation)}
                  onChange={on => toggle(operation, on)}
                />
              )
            },
          })),
        ]}
      />
      <Consequences chosen={chosen} />
    </fieldset>
  )
}

function Shortcuts({ catalog, access, chosen, onChange }: MatrixProps) {
  const t = useKeysWords()
  const all = (level: OperationLevel) =>
    catalog.operations.filter(one => one.level === level && isWithin(access, one.name)).map(({ name }) => name)
  const add = (operations: Operation[]) => onChange([...new Set([...chosen, ...operations])])
  const preset = catalog.presets.find(one => one.access === access)
  return (
    <p class="row shortcuts">
      <span class="quiet">{t.tick}</span>
      <Button quiet onClick={() => add(all('read'))}>
        {t.allReading}
      </Button>
      {access === 'write' && (
        <Button quiet onClick={() => add(all('write'))}>
          {t.allWriting}
        </Button>
      )}
      {preset && (
        <Button quiet onClick={() => onChange(preset.operations)}>
          {t.preset}
        </Button>
      )}
      <Button quiet onClick={() => onChange([])}>
        {t.nothing}
      </Button>
    </p>
  )
}

function Consequences({ chosen }: { chosen: Operation[] }) {
  const t = useKeysWords()
  const words = useAccessWords()
  const list = new Intl.ListFormat(LANGUAGES[useLanguage()].locale, { type: 'unit' })
  const destroyed = chosen.filter(isDestructive).map(operation => words.resources[resourceOf(operation)])
  if (chosen.length === 0) return <Note tone="warn">{t.noOperations}</Note>
  if (destroyed.length === 0) return null
  return <Note tone="warn">{t.destructiveChosen(list.format(destroyed))}</Note>
}
