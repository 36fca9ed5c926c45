import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { charactersOf, tableAt } from './font-characters.ts'
import { createFontChooser, type FontChooser, type FontFamily } from './font-runs.ts'
import { lettered } from './lettered-font.ts'

const { resolve } = createRequire(import.meta.url)
const FOLDER = dirname(dirname(resolve('@expo-google-fonts/noto-sans/package.json')))
const FACES = ['400Regular', '400Regular_Italic', '700Bold', '700Bold_Italic']
/** Amiri is drawn small; at this scale it matches the others. */
const AMIRI_SCALE = 1.2

interface LoadedFamily extends FontFamily {
  faces: Buffer[]
}

export interface PdfFonts {
  files: Buffer[]
  choose: FontChooser
}

/**
 * The fonts of a PDF. Arabic is set in Amiri, because it has one glyph for each letter: Noto Sans Arabic composes letters from
 * shared parts, so that text found in or copied from the PDF is not what was written. It remains for letters that Amiri does
 * not have.
 */
export function loadFonts(): PdfFonts {
  const latin = load('noto-sans', 'Noto Sans')
  const arabic = load('amiri', 'Amiri', face => lettered(enlarged(face, AMIRI_SCALE)))
  const mono = load('noto-sans-mono', 'Noto Sans Mono')
  const emoji = load('noto-emoji', 'Noto Emoji')
  const others = [
    load('noto-sans-arabic', 'Noto Sans Arabic'),
    load('noto-sans-math', 'Noto Sans Math'),
    load('noto-sans-symbols-2', 'Noto Sans Symbols 2'),
    load('chocolate-classical-sans', 'Chocolate Classical Sans'),
    load('nanum-gothic-coding', 'NanumGothicCoding'),
  ]
  return {
    files: [latin, arabic, mono, emoji, ...others].flatMap(({ faces }) => faces),
    choose: createFontChooser({ latin, arabic, mono, emoji, others }),
  }
}

function load(folder: string, name: string, change = (face: Buffer) => face): LoadedFamily {
  const faces = FACES.flatMap(face => readFace(join(FOLDER, folder, face))).map(change)
  const [characters, ...styled] = faces.map(charactersOf) as [Uint8Array, ...Uint8Array[]]
  for (const face of styled) for (let code = 0; code < characters.length; code++) if (!face[code]) characters[code] = 0
  return { name, faces, characters }
}

/** Not every family has every face. */
function readFace(folder: string): Buffer[] {
  try {
    return readdirSync(folder)
      .filter(file => file.endsWith('.ttf'))
      .map(file => readFileSync(join(folder, file)))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}

/** The font with fewer units per em, which makes everything in it larger: `unitsPerEm` is at 18 in the table `head`. */
function enlarged(font: Buffer, scale: number): Buffer {
  const at = tableAt(font, 'head') + 18
  font.writeUInt16BE(Math.round(font.readUInt16BE(at) / scale), at)
  return font
}
