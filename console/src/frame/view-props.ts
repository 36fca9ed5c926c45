/** What every view is given: the parts of its address that stand for records. */
export interface ViewProps {
  params: Record<string, string>
}
