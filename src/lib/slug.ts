const MAX_CHARACTERS = 80

/** A name as a path segment: letters and digits of any script in lower case, with one hyphen for whatever is between them. */
export function slugify(name: string): string {
  const words =
    name
      .normalize('NFC')
      .toLowerCase()
      .normalize('NFC')
      .match(/[\p{L}\p{M}\p{N}]+/gu) ?? []
  // A character has at most two code units.
  const beginning = words.join('-').slice(0, 2 * MAX_CHARACTERS)
  const slug = [...beginning].slice(0, MAX_CHARACTERS).join('')
  return slug.replace(/-$/, '')
}
