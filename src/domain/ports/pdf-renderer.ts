/** A document that cannot be made into a PDF, with a message for its sender. */
export class PdfRefused extends Error {}

/** No PDF can be made at the moment, of whatever document. */
export class PdfUnavailable extends Error {}

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
