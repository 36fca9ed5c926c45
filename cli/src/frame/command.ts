interface Described {
  help: string
  /** How help names the value; by default its kind. */
  value?: string
  isRequired?: true
}

export type Option =
  /** A switch can also be turned off: `--no-…`. */
  | { type: 'flag'; help: string; isSwitch?: true }
  | (Described & { type: 'text'; choices?: readonly string[]; default?: string; isNullable?: boolean })
  | (Described & { type: 'number'; minimum?: number; maximum?: number; default?: number; isNullable?: boolean })
  /** May be repeated, and each occurrence may have several values separated by commas. */
  | (Described & { type: 'list'; choices?: readonly string[] })

export type Options = Record<string, Option>

/** Identified by its position. Its name is in capitals. */
export interface Argument {
  name: string
  help: string
  isOptional?: true
  /** Takes all remaining words. */
  isRest?: true
  choices?: readonly string[]
}

type Given<O, T> = O extends { default: unknown } | { isRequired: true } ? T : T | undefined

type ValueOf<O> = O extends { type: 'flag' }
  ? boolean | undefined
  : O extends { type: 'number' }
    ? Given<O, number>
    : O extends { type: 'list' }
      ? Given<O, string[]>
      : Given<O, string>

/** What was typed, parsed and checked against the declaration. */
export interface Input {
  options: Record<string, unknown>
  /** In the order in which they are declared. */
  args: string[]
}

interface TypedInput<O extends Options> extends Input {
  options: { [name in keyof O]: ValueOf<O[name]> }
}

interface Facts {
  /** As it is typed: `serve`, `company list`. */
  name: string
  /** A sentence. */
  summary: string
  description?: string
  arguments?: Argument[]
  /** What follows the name of the program. A test runs those in the documentation; these show the way. */
  examples?: string[]
}

/** A command is a single declaration: help, completion and parsing are derived from it. */
export interface Command extends Facts {
  options: Options
  run(input: Input): Promise<void>
}

/** Keeps the types of the options between a declaration and its `run`; elsewhere all commands look alike. */
export function command<const O extends Options>(
  declaration: Facts & { options?: O; run(input: TypedInput<O>): Promise<void> },
): Command {
  const { run, options = {} as O } = declaration
  return { ...declaration, options, run: input => run(input as TypedInput<O>) }
}

/** Several commands whose names begin with the same word. They are loaded when one of them is needed. */
export interface Group {
  name: string
  summary: string
  load(): Promise<Command[]>
}

/** What was typed makes no sense. The program exits with 2. */
export class UsageError extends Error {}

/** The command was understood but failed: one line, and the program exits with 1. */
export class Failure extends Error {}
