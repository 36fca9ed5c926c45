import { useState } from 'preact/hooks'
import { call } from '../../api/call.ts'
import type { SignInLink } from '../../api/types.ts'
import { useCollection } from '../../api/use-collection.ts'
import { useCompany, useStanding } from '../../frame/standing.ts'
import { Button } from '../../parts/button.tsx'
import { Confirm } from '../../parts/dialog.tsx'
import { Card } from '../../parts/page.tsx'
import { Table } from '../../parts/table.tsx'
import { Code, Name } from '../../parts/text.tsx'
import { Ago } from '../../parts/time.tsx'
import { say } from '../../parts/toast.tsx'
import { useCommonWords } from '../../words/common.ts'
import { useLinkWords } from './words.ts'

/** With which accounts a person signs in. Where there is no identity provider, nobody has one, and nothing is shown. */
export function SignInLinks({ user }: { user: number }) {
  const t = useLinkWords()
  const common = useCommonWords()
  const { id: company } = useCompany()
  const { may } = useStanding()
  const params = { company, user }
  const links = useCollection('GET /companies/{company}/users/{user}/sign-in-links', { params })
  const [undoing, setUndoing] = useState<SignInLink>()
  const undo = ({ id }: SignInLink) =>
    call('DELETE /companies/{company}/users/{user}/sign-in-links/{link}', { params: { ...params, link: id } })
  if (!links.data?.length) return null
  return (
    <Card title={t.title} lead={t.lead}>
      <Table
        label={t.title}
        rows={links.data}
        keyOf={({ id }) => id}
        columns={[
          { title: t.account, main: true, show: ({ email, subject }) => <Name>{email ?? subject}</Name> },
          { title: t.issuer, show: ({ issuer }) => <Code>{issuer}</Code> },
          { title: t.used, show: ({ last_used_at }) => <Ago at={last_used_at} /> },
          {
            title: common.actions,
            actions: true,
            show: link =>
              may('deleteSignInLink') && (
                <Button quiet onClick={() => setUndoing(link)}>
                  {t.undo}
                </Button>
              ),
          },
        ]}
      />
      {undoing && (
        <Confirm
          title={t.undoTitle}
          verb={t.undo}
          act={() => undo(undoing)}
          onClose={() => setUndoing(undefined)}
          onDone={() => {
            links.reload()
            say(t.undone)
          }}
        >
          <p>
            <Name>{undoing.email ?? undoing.subject}</Name>
          </p>
          <p class="quiet">{t.undoLead}</p>
        </Confirm>
      )}
    </Card>
  )
}
