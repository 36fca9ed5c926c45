/** Archives that are packed in ways Node.js cannot unpack, by their first bytes in hexadecimal; dots stand for any digit. */
const BEGINNINGS = [
  /^377abcaf/, // 7z
  /^526172211a07/, // rar
  /^fd377a585a00/, // xz
  /^425a68..(31415926|17724538)/, // bzip2
  /^28b52ffd/, // zstd
  /^4c5a49500[01]/, // lzip
  /^4d53434600000000/, // cabinet
  /^78617221001c/, // xar
  /^.{14}2a2a4143452a/, // ace
  /^....2d6c(68|7a)..2d/, // lha
  /^213c617263683e0a/, // ar, deb
  /^edabeedb/, // rpm
  /^30373037303[1-7]/, // cpio
  /^49545346/, // chm
]
/** Their first bytes are too few to rule out chance. */
const SHORT_BEGINNINGS = /^(1f9d|1fa0|60ea)/
const SHORT_NAMES = /\.(z|taz|arj)$/i
const ISO_9660 = { at: 0x8001, mark: 'CD001' }

export function isUnsupportedArchive(bytes: Buffer, name: string): boolean {
  const beginning = bytes.toString('hex', 0, 32)
  return (
    BEGINNINGS.some(pattern => pattern.test(beginning)) ||
    (SHORT_BEGINNINGS.test(beginning) && SHORT_NAMES.test(name.slice(-8))) ||
    bytes.toString('latin1', ISO_9660.at, ISO_9660.at + ISO_9660.mark.length) === ISO_9660.mark
  )
}
