import type { ComponentType } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { Card } from '../../parts/page.tsx'
import { useCommonWords } from '../../words/common.ts'
import type { Adding } from './add-bar.tsx'
import type { DocumentFormProps } from './document-form.tsx'
import { LinkForm } from './link-form.tsx'
import { NewFolder } from './new-folder.tsx'
import { useFilesWords } from './words.ts'

interface AddingFormProps extends DocumentFormProps {
  what: Adding
}

/** The form of what is being added. */
export function AddingForm({ what, dropped, ...place }: AddingFormProps) {
  const t = useFilesWords()
  if (what === 'document')
    return (
      <Card title={t.newDocument} lead={t.documentLead}>
        <LoadedDocumentForm dropped={dropped} {...place} />
      </Card>
    )
  if (what === 'link')
    return (
      <Card title={t.newLink}>
        <LinkForm {...place} />
      </Card>
    )
  return (
    <Card title={t.newFolder}>
      <NewFolder {...place} />
    </Card>
  )
}

/** What reads Markdown is as large as the rest of the view, and most people write none. */
function LoadedDocumentForm(props: DocumentFormProps) {
  const common = useCommonWords()
  const [loaded, setLoaded] = useState<{ form: ComponentType<DocumentFormProps> }>()
  const [hasFailed, setFailed] = useState(false)
  useEffect(() => {
    import('./document-form.tsx').then(
      ({ DocumentForm }) => setLoaded({ form: DocumentForm }),
      () => setFailed(true),
    )
  }, [])
  if (hasFailed) return <p role="alert">{common.unreachable}</p>
  return loaded ? <loaded.form {...props} /> : <p role="status">{common.loading}</p>
}
