/** What the process knows about itself. */
export interface About {
  version: string
  /** The name of the host. */
  node: string
  engine: 'embedded' | 'postgres'
  startedAt: string
  /** In seconds; null while the database does not answer. */
  feedLag: () => Promise<number | null>
}
