import { existsSync, readFileSync } from 'node:fs'

interface Instruction {
  name: string
  text: string
}

export interface Stage {
  instructions: Instruction[]
  /** The commands of RUN, without the options that only concern the builder. */
  commands: string[]
}

/** The stages of the image, each from its FROM to the next. */
export function stagesOfImage(): Stage[] {
  const lines = readFileSync('deploy/Dockerfile', 'utf8').replaceAll('\\\n', ' ').split('\n')
  const instructions = lines
    .filter(line => line && !line.startsWith('#'))
    .map(line => ({ name: line.split(' ', 1)[0] as string, text: line.slice(line.indexOf(' ') + 1) }))
  const starts = instructions.flatMap(({ name }, n) => (name === 'FROM' ? [n] : []))
  return starts.map((start, n) => {
    const own = instructions.slice(start, starts[n + 1])
    const commands = own.filter(({ name }) => name === 'RUN').map(({ text }) => text.replace(/^(--\S+ )+/, ''))
    return { instructions: own, commands }
  })
}

/** The only instruction of a stage with this name. */
export function instructionOf({ instructions }: Stage, wanted: string): string {
  const [only, ...others] = instructions.filter(({ name }) => name === wanted)
  if (!only || others.length > 0) throw new Error(`Not one ${wanted}`)
  return only.text
}

/** The parts of the repository that the image is built from: `.dockerignore` excludes everything else. */
export function sourcesOfImage(): string[] {
  const lines = readFileSync('.dockerignore', 'utf8').split('\n')
  return lines
    .filter(line => line.startsWith('!'))
    .map(line => line.slice(1))
    .filter(existsSync)
}
