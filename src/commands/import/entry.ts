/** What becomes a task: a row of CSV, or an object of JSON spread over the same columns. */
export interface Entry {
  number: number
  cells: string[]
  /** What the columns do not have a place for, such as fields of one's own. */
  more?: [name: string, value: string][]
  /** Where the export says it for certain. */
  isCompleted?: boolean
  problem?: string | undefined
}
