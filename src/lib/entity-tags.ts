/** One member of a list, with the comma or the end after it. A member may be empty. */
const MEMBER = /[\t ,]*(?:(?:W\/)?("[\x21\x23-\x7e\x80-\xff]*")[\t ]*(?:,|$)|$)/y

/**
 * The tags of a list as in RFC 9110, without the marks of weak tags, which compressed answers have. None when the list cannot
 * be parsed: its sender did not mean that any version will do.
 */
export function tagsIn(header: string): string[] {
  const tags: string[] = []
  for (let at = 0; at < header.length; at = MEMBER.lastIndex) {
    MEMBER.lastIndex = at
    const member = MEMBER.exec(header)
    if (!member) return []
    if (member[1] !== undefined) tags.push(member[1])
  }
  return tags
}
