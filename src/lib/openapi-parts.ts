const SHARED = /^#\/components\/(parameters|requestBodies|responses)\/(\w+)$/

/** The same piece of an OpenAPI description with what it refers to, other than schemas and headers, in its place. */
export function inPlace<T>(piece: T, components: Partial<Record<string, Record<string, unknown>>>): T {
  return JSON.parse(JSON.stringify(piece), (_, value) => {
    const [, kind = '', name = ''] = SHARED.exec(value?.$ref) ?? []
    return components[kind]?.[name] ?? value
  })
}
