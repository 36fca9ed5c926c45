import { join } from 'node:path'
import { NodeCompiler } from '@myriaddreamin/typst-ts-node-compiler'
import { withReadableArabic } from './readable-arabic.ts'

/** Compiles Typst source to a PDF. The source can read nothing but an empty folder. */
export function createCompiler(emptyFolder: string, fonts: Buffer[]): (source: string) => Buffer {
  const compiler = NodeCompiler.create({ workspace: emptyFolder, fontArgs: [{ fontBlobs: fonts }] })
  let documents = 0
  return source => {
    // A new name for each: if Typst knows a source, it parses only what differs, and at times the wrong part.
    const path = join(emptyFolder, `${documents++}.typ`)
    compiler.addSource(path, source)
    try {
      const compiled = compiler.compile({ mainFilePath: path })
      if (!compiled.result) throw new Error(String(compiled.takeDiagnostics()?.shortDiagnostics[0]?.message))
      return withReadableArabic(compiler.pdf(compiled.result))
    } finally {
      // Nothing of one document remains for the next.
      compiler.resetShadow()
      compiler.evictCache(0)
    }
  }
}
