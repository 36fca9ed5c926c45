import { register } from 'node:module'

// Loaded before the server by `bench/log-cost.ts`: the server is the same, but its log of requests gets nothing.
register(
  `data:text/javascript,${encodeURIComponent(`
  export async function load(url, context, nextLoad) {
    if (!url.endsWith('/http/operation/request-log.js')) return nextLoad(url, context)
    return { format: 'module', shortCircuit: true, source: 'export function logRequests() {}' }
  }`)}`,
)
