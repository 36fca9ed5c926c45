import type { Key } from '../../api/types.ts'
import { useCompany } from '../../frame/standing.ts'
import { Link } from '../../parts/button.tsx'
import { Code } from '../../parts/text.tsx'
import { useKeysWords } from './words.ts'
import '../../style/keys.css'

/** Which key was rotated into this one, and into which it was rotated itself. */
export function Succession({ of: { replaces, replaced_by } }: { of: Key }) {
  const t = useKeysWords()
  return (
    <>
      {replaces && <Other label={t.replaces} of={replaces} />}
      {replaced_by && <Other label={t.replacedBy} of={replaced_by} />}
    </>
  )
}

/** Both have the same name, so the end of the key tells them apart. */
function Other({ label, of: { id, last_four } }: { label: string; of: NonNullable<Key['replaces']> }) {
  const { id: company } = useCompany()
  return (
    <p class="succession">
      {label}{' '}
      <Link to={`/companies/${company}/keys/${id}`}>
        <Code>…{last_four}</Code>
      </Link>
    </p>
  )
}
