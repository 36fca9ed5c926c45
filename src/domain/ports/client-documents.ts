/** Reads what an app says of itself at the URL that is its client id. */
export interface ClientDocuments {
  /** Whether an id is such a URL. */
  isUrl(id: string): boolean
  /** The text; undefined when there is none to be had. Never throws. */
  read(url: string): Promise<string | undefined>
}
