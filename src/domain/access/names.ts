/**
 * What a key, a person or a webhook is called where those of all companies are together: in a throttle, in a bound, in memory.
 * Every database numbers its own, so a company that has come from another cell has numbers that others have too.
 */
export function nameAmongAll(kind: 'key' | 'person' | 'webhook', companyId: number, id: number): string {
  return `${kind}:${companyId}:${id}`
}
