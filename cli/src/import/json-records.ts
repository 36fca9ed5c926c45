const LONGEST_RECORD = 1024 * 1024
const LONGEST_NAME = 100

/** The text is not JSON, or not of the expected shape. */
export class UnreadableJson extends Error {}

/**
 * The objects of a list as they arrive, without ever holding the whole list: `[{…}, …]`, or `{"name": [{…}, …], …}`. Several
 * such texts may follow one another, as pages do.
 */
export function createJsonRecords(name: string) {
  let depth = 0
  /** The depth of the list whose objects are read; 0 outside of it. */
  let listDepth = 0
  let isInString = false
  let isEscaped = false
  let hasList = false
  let lastName = ''
  let record: string | undefined
  let count = 0
  let done: unknown[] = []

  function push(text: string): unknown[] {
    done = []
    let from = 0
    for (let at = 0; at < text.length; at++) {
      const sign = text[at] as string
      if (isInString) inString(sign)
      else if (sign === '"') begin()
      else if (sign === '{' || sign === '[') {
        if (open(sign)) from = at
      } else if ((sign === '}' || sign === ']') && close()) {
        keep(text.slice(from, at + 1))
        finish()
      } else if (listDepth > 0 && depth === listDepth && !/[\s,\]]/.test(sign)) throw notRecords(name)
    }
    if (record !== undefined) keep(text.slice(from))
    return done
  }

  function begin(): void {
    isInString = true
    if (depth === 1) lastName = ''
    if (listDepth > 0 && depth === listDepth) throw notRecords(name)
  }

  function inString(sign: string): void {
    if (isEscaped) isEscaped = false
    else if (sign === '\\') isEscaped = true
    else if (sign === '"') isInString = false
    if (isInString && depth === 1 && lastName.length < LONGEST_NAME) lastName += sign
  }

  /** True when a record begins. */
  function open(sign: string): boolean {
    depth++
    if (listDepth > 0) {
      if (depth !== listDepth + 1) return false
      if (sign === '[') throw notRecords(name)
      record = ''
      return true
    }
    if (sign === '[' && (depth === 1 || (depth === 2 && lastName === name))) {
      listDepth = depth
      hasList = true
    }
    return false
  }

  /** True when a record ends. */
  function close(): boolean {
    depth--
    if (depth < 0) throw new UnreadableJson('is not valid JSON: it closes more brackets than it opens')
    if (depth < listDepth) listDepth = 0
    return record !== undefined && depth === listDepth
  }

  function keep(text: string): void {
    record += text
    if ((record?.length ?? 0) > LONGEST_RECORD)
      throw new UnreadableJson(`has a record of more than 1 MB: record ${count + 1}`)
  }

  function finish(): void {
    count++
    try {
      done.push(JSON.parse(record as string))
    } catch (error) {
      throw new UnreadableJson(`is not valid JSON in record ${count}: ${(error as Error).message}`)
    }
    record = undefined
  }

  function end(): void {
    if (depth > 0 || isInString) throw new UnreadableJson(`ends too early, after record ${count}`)
    if (!hasList) throw notRecords(name)
  }

  return { push, end }
}

function notRecords(name: string): UnreadableJson {
  return new UnreadableJson(`must contain a list of records, either at the top level or under "${name}"`)
}
