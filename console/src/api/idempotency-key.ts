/** A new key for a write that may be sent more than once. `crypto.randomUUID` exists only where the console is served over TLS. */
export function newIdempotencyKey(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))].map(byte => byte.toString(16).padStart(2, '0')).join('')
}
