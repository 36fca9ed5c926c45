import { useState } from 'preact/hooks'
import { call } from '../../api/call.ts'
import type { Catalog, CreatedKey } from '../../api/types.ts'
import { useAction } from '../../api/use-action.ts'
import { useCatalog } from '../../api/use-catalog.ts'
import { go } from '../../frame/address.ts'
import { useCompany } from '../../frame/standing.ts'
import { NoApiNote } from '../../parts/api-note.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Page } from '../../parts/page.tsx'
import { type KeyDraft, KeyForm } from './key-form.tsx'
import { MintedKey } from './minted-key.tsx'
import { useKeysWords } from './words.ts'

export default function NewKey() {
  const t = useKeysWords()
  const { id } = useCompany()
  const [minted, setMinted] = useState<CreatedKey>()
  const catalog = useCatalog()
  const above = { to: `/companies/${id}/keys`, label: t.title }
  if (minted)
    return (
      <Page title={t.created} above={above} lead={t.createdLead}>
        <MintedKey of={minted} />
      </Page>
    )
  return (
    <Page title={t.newTitle} above={above} lead={t.newLead}>
      <NoApiNote />
      <Loaded of={catalog}>{data => <Draft catalog={data} onMinted={setMinted} />}</Loaded>
    </Page>
  )
}

function Draft({ catalog, onMinted }: { catalog: Catalog; onMinted: (key: CreatedKey) => void }) {
  const t = useKeysWords()
  const { id } = useCompany()
  const [draft, setDraft] = useState<KeyDraft>(() => {
    const [{ access, operations, rights }] = catalog.presets as [Catalog['presets'][number]]
    return { name: '', access, operations, rights, expires: '', actsAs: '' }
  })
  const create = useAction(async () => {
    const { name, access, operations, rights, expires, actsAs } = draft
    const { data } = await call('POST /companies/{company}/keys', {
      params: { company: id },
      body: {
        name,
        access,
        operations,
        rights,
        ...(expires && { expires_at: expires }),
        ...(actsAs && { created_by: Number(actsAs) }),
      },
    })
    onMinted(data)
  })
  return (
    <KeyForm
      catalog={catalog}
      draft={draft}
      onChange={setDraft}
      action={create}
      submit={t.create}
      onCancel={() => go(`/companies/${id}/keys`)}
    />
  )
}
