import { useState } from 'preact/hooks'
import { call } from '../../api/call.ts'
import type { Discussion } from '../../api/types.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { useCollection } from '../../api/use-collection.ts'
import { useCompany, useStanding } from '../../frame/standing.ts'
import type { ViewProps } from '../../frame/view-props.ts'
import { useLive } from '../../live/use-live.ts'
import { Button } from '../../parts/button.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Card, Page } from '../../parts/page.tsx'
import { Badge, Name, Prose } from '../../parts/text.tsx'
import { Time } from '../../parts/time.tsx'
import { isolate } from '../../words/language.ts'
import { useWorkAddresses } from './addresses.ts'
import { Comments } from './comments.tsx'
import type { ComposerProps } from './composer.tsx'
import { DiscussionEditor } from './discussion-editor.tsx'
import { useDoingWords } from './doing-words.ts'
import { useEditingWords } from './editing-words.ts'
import { Metadata } from './metadata.tsx'
import { ProjectName } from './project-names.tsx'
import { useEdited } from './use-edited.ts'
import { useIsOpen } from './use-is-open.ts'
import { useMayDelete } from './use-rights.ts'
import { useWorkWords } from './words.ts'

/** A discussion is a thread: how it began, and the replies. */
export default function DiscussionView({ params: { project = '', discussion = '' } }: ViewProps) {
  const t = useWorkWords()
  const { id } = useCompany()
  const addresses = useWorkAddresses()
  const at = { params: { company: id, discussion } }
  const answer = useAnswer('GET /companies/{company}/records/discussions/{discussion}', at)
  useLive({ kinds: ['discussion'], id: answer.data?.data.id ?? discussion }, answer.reload)
  if (answer.data) return <ShownDiscussion stored={answer.data.data} project={project} />
  return (
    <Page title={t.discussion} above={{ to: addresses.discussions(project), label: <ProjectName project={project} /> }}>
      <Loaded of={answer}>{() => null}</Loaded>
    </Page>
  )
}

function ShownDiscussion({ stored, project }: { stored: Discussion; project: string }) {
  const t = useEditingWords()
  const addresses = useWorkAddresses()
  const { may } = useStanding()
  const discussion = useEdited(stored)
  const { shown } = discussion
  // Whoever may delete it, it is theirs to change: its author, and leaders.
  const isTheirs = useMayDelete(shown.id) && may('updateDiscussion')
  const [isEditing, setEditing] = useState(false)
  return (
    <Page
      title={isolate(shown.title)}
      heading={<Name>{shown.title}</Name>}
      above={{ to: addresses.discussions(project), label: <ProjectName project={project} /> }}
      actions={
        isTheirs && (
          <Button icon={isEditing ? 'check' : 'edit'} aria-expanded={isEditing} onClick={() => setEditing(!isEditing)}>
            {isEditing ? t.doneEditing : t.editDiscussion}
          </Button>
        )
      }
    >
      {isEditing && isTheirs ? (
        <DiscussionEditor discussion={discussion} project={project} />
      ) : (
        <Beginning of={shown} />
      )}
      <Replies discussion={shown.id} project={project} />
    </Page>
  )
}

function Beginning({ of: { author, created_at, category, body, metadata } }: { of: Discussion }) {
  return (
    <Card>
      <div class="stack">
        <p class="row">
          <strong>
            <Name>{author}</Name>
          </strong>
          <span class="quiet">
            <Time at={created_at} />
          </span>
          {category && (
            <Badge>
              <Name>{category}</Name>
            </Badge>
          )}
        </p>
        {body && <Prose>{body}</Prose>}
        <Metadata of={metadata} />
      </div>
    </Card>
  )
}

function Replies({ discussion, project }: { discussion: string; project: string }) {
  const t = useWorkWords()
  const doing = useDoingWords()
  const { id: company } = useCompany()
  const { may } = useStanding()
  const isOpen = useIsOpen(project)
  const at = { params: { company, discussion } }
  const replies = useCollection('GET /companies/{company}/records/discussions/{discussion}/comments', at)
  useLive({ kinds: ['comment'], parent: discussion }, replies.reload)
  const add: ComposerProps['add'] = async (body, idempotencyKey) => {
    const path = 'POST /companies/{company}/records/discussions/{discussion}/comments'
    return (await call(path, { ...at, body, idempotencyKey })).data
  }
  const edit = async (comment: number, content: string) => {
    const path = 'PATCH /companies/{company}/records/discussions/{discussion}/comments/{comment}'
    return (await call(path, { params: { company, discussion, comment }, body: { content } })).data
  }
  const writing =
    isOpen && may('createDiscussionComment')
      ? { label: doing.reply, send: doing.sendReply, place: `discussion/${discussion}/reply`, add, edit }
      : undefined
  return (
    <Comments
      title={t.replies}
      empty={t.noReplies}
      of={replies}
      about={discussion}
      project={project}
      writing={writing}
    />
  )
}
