import { readDescription } from './description.ts'

/** An operation of a description, and what it says about who may call it. */
export interface Described {
  id: string
  method: string
  /** With the prefix of its surface, and parameters in braces. */
  path: string
  parameters: string[]
  /** The operation that a key has to be allowed. */
  needs: string | undefined
  /** Whom the administration lets in, in its own words. */
  audience: string | undefined
  /** What a key needs besides, always or for what somebody else has made. */
  right: string | undefined
  rightForOthers: string | undefined
  isForItsMaker: boolean
  /** True when it is refused with 412 for another version than the record has. */
  comparesVersions: boolean
  takesBody: boolean
}

/** Every operation of a description, in its order. */
export function describedIn(file: string, prefix: string): Described[] {
  return readDescription(file).operations.map(({ id, method, path, text, takesBody, responses }) => ({
    id,
    method,
    path: prefix + path,
    parameters: [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as string),
    needs: /^Needs the operation `([\w:]+)`\.$/m.exec(text)?.[1],
    audience: /^For (?:.+)\.$/m.exec(text.split('\n\n').at(-1) ?? '')?.[0].replace(' Kept in the audit.', ''),
    right: /Needs the right `(\w+)`/.exec(text)?.[1],
    rightForOthers: /somebody else \w+ needs the right `(\w+)`/.exec(text)?.[1],
    isForItsMaker: /For the signature that wrote it|only the organizer can do it/i.test(text),
    comparesVersions: '412' in responses,
    takesBody,
  }))
}

/** The file is a link, and rights are those of a record that would have to be named. */
const UNUSUAL: Record<string, number> = { '/download': 302, '/rights': 422 }

export interface HarmlessRequest {
  headers: Record<string, string>
  body: string | undefined
  /** What whoever is let in is answered, if the record is there. */
  answered: number
}

/** A request that changes nothing: it is for a version that no record has, or its body ends too early. */
export function harmless({ method, path, comparesVersions, takesBody }: Described): HarmlessRequest {
  const headers = {
    ...(comparesVersions && { 'if-match': '"of-no-version"' }),
    ...(takesBody && { 'content-type': 'application/json' }),
  }
  const body = takesBody ? '{' : undefined
  if (method !== 'GET') return { headers, body, answered: comparesVersions ? 412 : 422 }
  return { headers, body, answered: UNUSUAL[path.slice(path.lastIndexOf('/'))] ?? 200 }
}

/** The address with its parameters filled in. */
export function at({ path }: Described, name: (parameter: string) => string): string {
  return path.replace(/\{(\w+)\}/g, (_, parameter) => encodeURIComponent(name(parameter)))
}
