import { useAnswer } from '../../api/use-answer.ts'
import { useCollection } from '../../api/use-collection.ts'
import { useCompany } from '../../frame/standing.ts'
import type { ViewProps } from '../../frame/view-props.ts'
import { Loaded } from '../../parts/loaded.tsx'
import { Card, Page } from '../../parts/page.tsx'
import { Badge, Name, Prose } from '../../parts/text.tsx'
import { Time } from '../../parts/time.tsx'
import { isolate } from '../../words/language.ts'
import { useWorkAddresses } from './addresses.ts'
import { Comments } from './comments.tsx'
import { ProjectName } from './project-names.tsx'
import { useWorkWords } from './words.ts'

/** A discussion is a thread: how it began, and the replies. */
export default function DiscussionView({ params: { project = '', discussion = '' } }: ViewProps) {
  const t = useWorkWords()
  const { id } = useCompany()
  const addresses = useWorkAddresses()
  const answer = useAnswer('GET /companies/{company}/records/discussions/{discussion}', {
    params: { company: id, discussion },
  })
  const replies = useCollection('GET /companies/{company}/records/discussions/{discussion}/comments', {
    params: { company: id, discussion },
  })
  const data = answer.data?.data
  return (
    <Page
      title={data ? isolate(data.title) : t.discussion}
      heading={data ? <Name>{data.title}</Name> : t.discussion}
      above={{ to: addresses.discussions(project), label: <ProjectName project={project} /> }}
    >
      <Loaded of={answer}>
        {({ data: { author, created_at, category, body } }) => (
          <>
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
              </div>
            </Card>
            <Comments title={t.replies} empty={t.noReplies} of={replies} project={project} />
          </>
        )}
      </Loaded>
    </Page>
  )
}
