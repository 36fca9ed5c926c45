/** One member of a list, and the comma or the end behind it. A member may be empty. */
const MEMBER = /[\t ,]*(?:(?:W\/)?("[\x21\x23-\x7e\x80-\xff]*")[\t ]*(?:,|$)|$)/y

/**
 * The tags of a list as RFC 9110 writes it, without the marks of weak ones: a proxy that compresses adds those. None when it
 * cannot be read: whoever sent it did not mean that anything goes.
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
