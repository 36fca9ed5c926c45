/** A document that cannot be made into a PDF, with a message for the one who sent it. */
export class PdfRefused extends Error {}

export interface PdfRenderer {
  /** Markdown as a PDF. Throws `PdfRefused` when the document takes too much time or memory, or cannot be set. */
  render(markdown: string): Promise<Buffer>
  close(): Promise<void>
}
