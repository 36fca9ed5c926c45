/** What becomes a task: a row of CSV, or an object of JSON laid out in the same columns. */
export interface Entry {
  number: number
  cells: string[]
  /** What has no column, such as custom fields. */
  more?: [name: string, value: string][]
  /** Set where the export says it for certain. */
  isCompleted?: boolean
  problem?: string | undefined
}
