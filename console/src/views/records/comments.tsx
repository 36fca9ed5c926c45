import type { Comment } from '../../api/types.ts'
import type { Collection } from '../../api/use-collection.ts'
import { Link } from '../../parts/button.tsx'
import { LoadedCollection } from '../../parts/loaded.tsx'
import { Card } from '../../parts/page.tsx'
import { Name, Prose } from '../../parts/text.tsx'
import { Time } from '../../parts/time.tsx'
import { useWorkAddresses } from './addresses.ts'
import { useWorkWords } from './words.ts'
import '../../style/records.css'

interface CommentsProps {
  title: string
  empty: string
  of: Collection<Comment>
  /** The project that their files are in. */
  project: string
}

/** What people and keys said about something, in its order. */
export function Comments({ title, empty, of, project }: CommentsProps) {
  return (
    <Card title={title}>
      <LoadedCollection of={of} empty={empty}>
        {comments => (
          <ul class="comments">
            {comments.map(comment => (
              <li key={comment.id}>
                <OneComment comment={comment} project={project} />
              </li>
            ))}
          </ul>
        )}
      </LoadedCollection>
    </Card>
  )
}

function OneComment({ comment, project }: { comment: Comment; project: string }) {
  const t = useWorkWords()
  const { author, content, created_at, updated_at, attachments } = comment
  return (
    <article id={`comment-${comment.id}`}>
      <p class="row">
        <strong>
          <Name>{author}</Name>
        </strong>
        <span class="quiet">
          <Time at={created_at} />
        </span>
        {updated_at !== created_at && <span class="quiet">({t.edited})</span>}
      </p>
      {content && <Prose>{content}</Prose>}
      {attachments.length > 0 && <Attachments comment={comment} project={project} />}
    </article>
  )
}

/** Files that still exist can be opened; of the others, the names remain. */
function Attachments({ comment: { attachments, attachment_refs }, project }: { comment: Comment; project: string }) {
  const t = useWorkWords()
  const addresses = useWorkAddresses()
  return (
    <p class="row">
      <span class="quiet">{t.attached}:</span>
      {attachments.map((name, i) => {
        const ref = attachment_refs[i]
        const key = `${i} ${name}`
        if (!ref) return <Name key={key}>{name}</Name>
        return (
          <Link key={key} to={addresses.file(project, ref)}>
            <Name>{name}</Name>
          </Link>
        )
      })}
    </p>
  )
}
