import type { Condition } from './condition.ts'

/** Where the provider sends people back to, below the URL at which they reach us. */
export const CALLBACK_PATH = '/sign-in/callback'

/** What only the browser that began may bring back, besides the code. */
export interface Attempt {
  state: string
  nonce: string
  verifier: string
}

/** Somebody whom the provider has signed in. */
export interface ProviderIdentity {
  issuer: string
  /** Its name for the account, which stays when the address changes. */
  subject: string
  email: string | null
  /** Whether the provider has made sure that the address is theirs. */
  email_verified: boolean
}

/** Why nobody was signed in. The console says each in words. */
export type SignInFailure = 'unreachable' | 'refused' | 'again' | 'failed'

/** The message is for the log. */
export class ProviderError extends Error {
  constructor(
    readonly failure: SignInFailure,
    message: string,
  ) {
    super(message)
  }
}

/** The company's own identity provider, with which people sign in to the console. */
export interface IdentityProvider {
  /** The words on the button. */
  name: string
  /** Whether companies may refuse sign-in with a token. */
  isRequired: boolean
  /** Where the browser goes to sign in. Throws a ProviderError. */
  begin(): Promise<{ url: string; attempt: Attempt }>
  /** Whom the browser has brought back. Throws a ProviderError. */
  finish(query: URLSearchParams, attempt: Attempt): Promise<ProviderIdentity>
  check(): Promise<Condition>
}

export const NO_PROVIDER: Condition = {
  state: 'off',
  message: 'Not set up: people sign in to the console with tokens.',
  advice: 'Set OIDC_ISSUER and what belongs to it to have them sign in with your identity provider.',
}
