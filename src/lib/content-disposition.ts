import { asciiName } from './ascii-name.ts'

/** RFC 6266: the exact name for clients that know UTF-8, and something readable for those that do not. */
export function attachmentNamed(name: string): string {
  const encoded = encodeURIComponent(name).replace(
    /['()*]/g,
    character => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `attachment; filename="${asciiName(name)}"; filename*=UTF-8''${encoded}`
}
