/** A number and its noun, in English: `1 row`, `2 rows`. */
export function counted(count: number, one: string, more = `${one}s`): string {
  return `${count} ${count === 1 ? one : more}`
}
