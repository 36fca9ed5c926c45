import { useState } from 'preact/hooks'
import type { Comment } from '../../api/types.ts'
import type { Collection } from '../../api/use-collection.ts'
import { LoadedCollection } from '../../parts/loaded.tsx'
import { Card } from '../../parts/page.tsx'
import { Composer, type ComposerProps } from './composer.tsx'
import { OneComment } from './one-comment.tsx'
import { useEditable } from './use-rights.ts'
import '../../style/records.css'

export interface ThreadProps {
  empty: string
  of: Collection<Comment>
  /** The ref of what they are about. */
  about: string
  /** The project that their files are in. */
  project: string
  /** Where one more can be written and one's own be changed, and what stands on its field and its button. */
  writing?:
    | (Pick<ComposerProps, 'label' | 'send' | 'place' | 'add'> & {
        edit: (comment: number, content: string) => Promise<Comment>
      })
    | undefined
}

/** The same in a card of its own. */
export function Comments({ title, ...thread }: ThreadProps & { title: string }) {
  return (
    <Card title={title}>
      <Thread {...thread} />
    </Card>
  )
}

/** What people and keys said about something, in its order. */
export function Thread({ empty, of, about, project, writing }: ThreadProps) {
  /** Those that were written here and are not among the loaded ones yet. */
  const [added, setAdded] = useState<Comment[]>([])
  const isLoaded = new Set(of.data?.map(({ id }) => id))
  const rest = added.filter(({ id }) => !isLoaded.has(id))
  const isEditable = useEditable(about, writing ? [...(of.data ?? []), ...rest] : [])
  return (
    <>
      <LoadedCollection of={{ ...of, data: of.data && [...of.data, ...rest] }} empty={empty}>
        {comments => (
          <ul class="comments">
            {comments.map(comment => (
              <li key={comment.id}>
                <OneComment
                  comment={comment}
                  project={project}
                  edit={writing && isEditable(comment) ? content => writing.edit(comment.id, content) : undefined}
                />
              </li>
            ))}
          </ul>
        )}
      </LoadedCollection>
      {writing && of.data && (
        <Composer
          label={writing.label}
          send={writing.send}
          project={project}
          place={writing.place}
          add={writing.add}
          onAdded={comment => setAdded(before => [...before, comment])}
        />
      )}
    </>
  )
}
