import { readFileSync } from 'node:fs'

/** The code blocks in one language below a heading of a document, in order. */
export function documented(document: string, heading: string, language = 'sh'): string[] {
  const [, rest = ''] = readFileSync(document, 'utf8').split(`\n## ${heading}\n`)
  const [chapter = ''] = rest.split('\n## ')
  return blocksIn(chapter, language)
}

/** The code blocks in one language in the whole document. */
export function examplesOf(document: string, language = 'sh'): string[] {
  return blocksIn(readFileSync(document, 'utf8'), language)
}

function blocksIn(text: string, language: string): string[] {
  return [...text.matchAll(new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\`$`, 'gms'))].map(([, block = '']) => block)
}
