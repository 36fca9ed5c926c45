import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { NodeCompiler } from '@myriaddreamin/typst-ts-node-compiler'

const { resolve } = createRequire(import.meta.url)
const FONTS = dirname(dirname(resolve('@expo-google-fonts/noto-sans/package.json')))
const FACES = ['400Regular', '400Regular_Italic', '700Bold', '700Bold_Italic']

/**
 * Amiri, because it has one glyph for each letter: Noto Sans Arabic puts letters together from parts that they share, and
 * what one then finds or copies in the PDF is not what was written. Noto stays for letters that Amiri does not have.
 */
const FAMILIES = ['noto-sans', 'noto-sans-mono', 'amiri', 'noto-sans-arabic']
/** Amiri is drawn small; at this scale it goes with the others. */
const AMIRI_SCALE = 1.2

/** Typst source as a PDF. Only a folder that holds nothing can be read from it. */
export function createCompiler(emptyFolder: string): (source: string) => Buffer {
  const compiler = NodeCompiler.create({
    workspace: emptyFolder,
    fontArgs: [{ fontBlobs: FAMILIES.flatMap(readFamily) }],
  })
  let documents = 0
  return source => {
    // A name for each: of a source that it knows, Typst parses only what differs, and at times the wrong part.
    const path = join(emptyFolder, `${documents++}.typ`)
    compiler.addSource(path, source)
    try {
      const compiled = compiler.compile({ mainFilePath: path })
      if (!compiled.result) throw new Error(String(compiled.takeDiagnostics()?.shortDiagnostics[0]?.message))
      return compiler.pdf(compiled.result)
    } finally {
      // Nothing of one document stays for the next.
      compiler.resetShadow()
      compiler.evictCache(0)
    }
  }
}

function readFamily(family: string): Buffer[] {
  return FACES.flatMap(face => readFace(join(FONTS, family, face))).map(font =>
    family === 'amiri' ? enlarged(font, AMIRI_SCALE) : font,
  )
}

/** A family does not have every face. */
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

/** The font with fewer units to the em, which makes all of it larger: `unitsPerEm` is at 18 in the table `head`. */
function enlarged(font: Buffer, scale: number): Buffer {
  const tables = font.readUInt16BE(4)
  for (let entry = 12; entry < 12 + 16 * tables; entry += 16) {
    if (font.toString('latin1', entry, entry + 4) !== 'head') continue
    const at = font.readUInt32BE(entry + 8) + 18
    font.writeUInt16BE(Math.round(font.readUInt16BE(at) / scale), at)
  }
  return font
}
