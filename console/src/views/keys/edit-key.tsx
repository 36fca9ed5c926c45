import { useState } from 'preact/hooks'
import { call } from '../../api/call.ts'
import type { Catalog, Key, UpdateKeyBody } from '../../api/types.ts'
import { useAction } from '../../api/use-action.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { useCatalog } from '../../api/use-catalog.ts'
import { go } from '../../frame/address.ts'
import { useCompany, useStanding } from '../../frame/standing.ts'
import type { ViewProps } from '../../frame/view-props.ts'
import { Loaded } from '../../parts/loaded.tsx'
import { clockIn } from '../../parts/local-clock.ts'
import { Page } from '../../parts/page.tsx'
import { Name } from '../../parts/text.tsx'
import { say } from '../../parts/toast.tsx'
import { type KeyDraft, KeyForm } from './key-form.tsx'
import { useKeysWords } from './words.ts'

export default function EditKey({ params }: ViewProps) {
  const t = useKeysWords()
  const { id } = useCompany()
  const key = useAnswer('GET /companies/{company}/keys/{key}', { params: { company: id, key: params.key as string } })
  const catalog = useCatalog()
  return (
    <Page
      title={t.editTitle}
      above={{ to: `/companies/${id}/keys/${params.key}`, label: key.data ? <Name>{key.data.data.name}</Name> : t.key }}
    >
      <Loaded of={key}>
        {({ data }) => <Loaded of={catalog}>{lists => <Draft of={data} catalog={lists} />}</Loaded>}
      </Loaded>
    </Page>
  )
}

function Draft({ of: key, catalog }: { of: Key; catalog: Catalog }) {
  const t = useKeysWords()
  const { id } = useCompany()
  const { zone } = useStanding()
  const [before] = useState<KeyDraft>(() => draftOf(key, zone))
  const [draft, setDraft] = useState(before)
  const toKey = `/companies/${id}/keys/${key.id}`
  const save = useAction(async () => {
    await call('PATCH /companies/{company}/keys/{key}', {
      params: { company: id, key: key.id },
      body: changesBetween(before, draft),
    })
    say(t.saved)
    go(toKey)
  })
  return (
    <KeyForm
      catalog={catalog}
      draft={draft}
      onChange={setDraft}
      action={save}
      submit={t.saveIt}
      onCancel={() => go(toKey)}
    />
  )
}

function draftOf({ name, access, operations, rights, expires_at }: Key, zone: string): KeyDraft {
  const expires = expires_at ? clockIn(zone, new Date(expires_at)) : ''
  return { name, access, operations, rights, expires, actsAs: undefined }
}

/** Only what was changed is sent: an expiry that has passed would be refused. */
function changesBetween(before: KeyDraft, after: KeyDraft): UpdateKeyBody {
  const { name, access, operations, rights, expires } = after
  const isOther = (field: keyof KeyDraft) => JSON.stringify(before[field]) !== JSON.stringify(after[field])
  return {
    ...(isOther('name') && { name }),
    ...(isOther('access') && { access }),
    ...(isOther('operations') && { operations }),
    ...(isOther('rights') && { rights }),
    ...(isOther('expires') && { expires_at: expires || null }),
  }
}
