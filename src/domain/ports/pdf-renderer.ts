import { type Said, wordsOf } from '../sentences/sentences.ts'

/** A document that cannot be made into a PDF. What its sender is told begins with the name of the field. */
export class PdfRefused extends Error {
  constructor(readonly problem: Said) {
    super(wordsOf(problem).en)
  }
}

/** No PDF can be made at the moment, of whatever document. */
export class PdfUnavailable extends Error {
  constructor(
    readonly said?: Said,
    options?: ErrorOptions,
  ) {
    super(said && wordsOf(said).en, options)
  }
}

interface PdfOrder {
  markdown: string
  /** The title of a document that has no heading. */
  title: string
  /** Companies take turns. */
  companyId: number
  /** Aborted when nobody waits for the PDF any longer. */
  signal?: AbortSignal
}

export interface PdfRenderer {
  /**
   * Renders Markdown as a PDF. Throws `PdfRefused` when the document takes too much time or memory, or cannot be typeset, and
   * `PdfUnavailable` when its turn does not come soon.
   */
  render(order: PdfOrder): Promise<Buffer>
  close(): Promise<void>
}
