const OUTSIDE = '-- outside a transaction\n'

/**
 * The statements of a migration that could disturb the release before it, which goes on working while and after the file is
 * applied. What is known to do no harm is listed here; everything else has to say which release stopped using it. `before` are
 * the files that come before it in the same release.
 */
export function contractingStatements(text: string, before: string[] = []): string[] {
  const statements = statementsOf(text)
  const ofThisRelease = [...before.flatMap(statementsOf), ...statements]
  const made = madeBy(ofThisRelease)
  const added = ofThisRelease.flatMap(statement =>
    [...statement.matchAll(/\badd column (\w+)/g)].map(([, column]) => column as string),
  )
  const isOutside = text.startsWith(OUTSIDE)
  return statements.filter(statement =>
    isOutside ? !isConcurrentIndex(statement, statements, added) : !isExpanding(statement, made, added),
  )
}

const madeBy = (statements: string[]) =>
  statements.flatMap(statement => /^create table (\w+)/.exec(statement)?.[1] ?? [])

/**
 * The tables that were there before and that a migration locks until it ends. Two of them are one too many: a call that has
 * written to the second and waits for the first has to end before the migration can go on. Nearly every table refers to its
 * company, which hardly any call writes.
 */
export function lockedTables(text: string): string[] {
  if (text.startsWith(OUTSIDE)) return []
  const statements = statementsOf(text)
  const made = madeBy(statements)
  const locked = statements.flatMap(statement => [
    ...statement.matchAll(/^(?:alter|drop) table (?:if exists )?(?:only )?(\w+)/g),
    ...statement.matchAll(/^(?:create|drop) (?:or replace )?(?:constraint )?trigger .*? on (\w+)/g),
    ...statement.matchAll(/\breferences (\w+)/g),
  ])
  return [...new Set(locked.map(([, table]) => table as string))].filter(
    table => !made.includes(table) && table !== 'companies',
  )
}

/** In lower case on one line each, without comments, and without the bodies of functions and other texts. */
function statementsOf(text: string): string[] {
  return text
    .replace(/\$(\w*)\$.*?\$\1\$|'(?:[^']|'')*'|--[^\n]*|\/\*.*?\*\//gs, found => (/^[$']/.test(found) ? "''" : ' '))
    .split(';')
    .map(statement => statement.replace(/\s+/g, ' ').trim().toLowerCase())
    .filter(statement => statement !== '')
}

const HARMLESS = [
  /^create (?:table|type|view|sequence|function|trigger|constraint trigger) /,
  // PostgreSQL refuses to replace a view or a function by one that returns something else.
  /^create or replace (?:function|trigger|view) /,
  /^insert into /,
  /^comment on /,
]

function isExpanding(statement: string, made: string[], added: string[]): boolean {
  const table = /^(?:alter table|create (?:unique )?index \w+ on) (?:only )?(\w+)/.exec(statement)?.[1]
  if (table !== undefined && made.includes(table)) return true
  if (/^alter table \w+ /.test(statement)) return actionsOf(statement).every(action => isExpandingAction(action, added))
  return HARMLESS.some(pattern => pattern.test(statement))
}

/** What an `alter table` does, action by action: commas in brackets separate other things. */
function actionsOf(statement: string): string[] {
  const actions = statement.replace(/^alter table \w+ /, '')
  let depth = 0
  let last = 0
  const found: string[] = []
  for (const [n, letter] of [...actions].entries()) {
    if (letter === '(') depth++
    if (letter === ')') depth--
    if (letter !== ',' || depth > 0) continue
    found.push(actions.slice(last, n).trim())
    last = n + 1
  }
  return [...found, actions.slice(last).trim()]
}

function isExpandingAction(action: string, added: string[]): boolean {
  if (action.startsWith('add column ')) return isExpandingColumn(action)
  // The release before does not write a column that this file adds; whatever else is constrained, it may.
  if (action.startsWith('add constraint ')) return / not valid$/.test(action) && namesOneOf(action, added)
  return /^(?:validate constraint|alter column \w+ set (?:\(|statistics|storage|default))/.test(action)
}

/** Can be left out by an insert, and is added without reading or writing the table. */
function isExpandingColumn(action: string): boolean {
  const isFilled = !/\bnot null\b/.test(action) || /\bdefault\b/.test(action)
  const rewrites = /\b(?:generated|serial|bigserial|random|gen_random_uuid|clock_timestamp|nextval)\b/.test(action)
  return isFilled && !rewrites && !/\b(?:check|references|unique|primary)\b/.test(action)
}

/** An index that was interrupted is there and invalid, so each is dropped before it is created. */
function isConcurrentIndex(statement: string, statements: string[], added: string[]): boolean {
  const dropped = /^drop index concurrently if exists (\w+)$/.exec(statement)?.[1]
  if (dropped !== undefined)
    return new RegExp(`^create (?:unique )?index concurrently ${dropped} on `).test(
      statements[statements.indexOf(statement) + 1] ?? '',
    )
  const [, unique, name] = /^create (unique )?index concurrently (\w+) on /.exec(statement) ?? []
  const isDroppedBefore = statements[statements.indexOf(statement) - 1] === `drop index concurrently if exists ${name}`
  return name !== undefined && isDroppedBefore && (unique === undefined || namesOneOf(statement, added))
}

function namesOneOf(statement: string, columns: string[]): boolean {
  return columns.some(column => new RegExp(`\\b${column}\\b`).test(statement))
}
