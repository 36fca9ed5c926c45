const MAX_CHARACTERS = 80

/** Short vowels and other marks above and below Arabic letters, and the stroke that stretches a word. */
const VOWELS =
  /[\u0610-\u061a\u0640\u064b-\u0653\u0655-\u065f\u0670\u06d6-\u06dc\u06df-\u06e8\u06ea-\u06ed\u0898-\u089f\u08ca-\u08e1\u08e3-\u08ff]/g
/** Joiners, direction marks, soft hyphens: they are written inside a word, and none of them ends it. */
const INVISIBLE = /[\u00ad\u061c\u200c-\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]/g

/** A slug as it is looked up: nobody types the vowels of a name into an address, and a program may copy them there. */
export function bareSlug(text: string): string {
  return text.normalize('NFC').replace(VOWELS, '').replace(INVISIBLE, '').normalize('NFC')
}

/** A name as a path segment: letters and digits of any script in lower case, with one hyphen for whatever is between them. */
export function slugify(name: string): string {
  const words =
    bareSlug(name)
      .toLowerCase()
      .normalize('NFC')
      .match(/[\p{L}\p{M}\p{N}]+/gu) ?? []
  // A character has at most two code units.
  const beginning = words.join('-').slice(0, 2 * MAX_CHARACTERS)
  const slug = [...beginning].slice(0, MAX_CHARACTERS).join('')
  return slug.replace(/-$/, '')
}
