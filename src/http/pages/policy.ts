import { hash } from 'node:crypto'

/**
 * Nothing that a page shows may come from, or be sent to, another machine, and no other script of a page runs than its own.
 * Styles are written by the reference page while it runs.
 */
export const policyFor = (scripts: string[]) =>
  [
    "default-src 'self'",
    ["script-src 'self'", ...scripts.map(script => `'sha256-${hash('sha256', script, 'base64')}'`)].join(' '),
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
