import Type from 'typebox'
import { findIdentity, peopleNamed } from '../domain/people/sign-in-links.ts'
import type { ProviderIdentity } from '../domain/ports/identity-provider.ts'
import { Id, Nullable, Single } from '../http/answers/schema.ts'
import { type AdminCall, adminEndpoint } from './gate.ts'

const SignIn = Type.Object(
  {
    identity_provider: Nullable(
      Type.Object(
        {
          name: Type.String({ description: 'The words on the button' }),
          url: Type.String({ description: 'Where a browser begins to sign in' }),
          may_be_required: Type.Boolean({ description: 'Whether `require_oidc` of a company has an effect' }),
        },
        { description: 'Null when none is set up' },
      ),
    ),
    identity: Nullable(
      Type.Object(
        {
          email: Nullable(Type.String()),
          email_verified: Type.Boolean({ description: 'Whether the provider has verified the address' }),
        },
        { description: 'Whom the identity provider has just signed in in this browser; null for nobody' },
      ),
    ),
    people: Type.Array(
      Type.Object({
        company: Type.Object({ id: Id(), name: Type.String() }),
        user: Type.Object({ id: Id(), name: Type.String(), email: Type.String() }),
      }),
      { description: 'The people that this may be, one in each company at most: choose with `POST /sessions`' },
    ),
  },
  {
    title: 'SignIn',
    examples: [
      {
        identity_provider: { name: 'Najd account', url: 'https://diwan.example.com/sign-in', may_be_required: false },
        identity: { email: 'layla@example.com', email_verified: true },
        people: [
          {
            company: { id: 1, name: 'Najd Trading' },
            user: { id: 1, name: 'Layla Haddad', email: 'layla@example.com' },
          },
        ],
      },
    ],
  },
)

export const getSignIn = adminEndpoint({
  name: 'get_sign_in',
  since: '1.7.0',
  operation: 'me:read',
  who: 'whoever signs in',
  summary: 'How to sign in to the console',
  description:
    'Called without a credential. Tells whether people sign in with an identity provider and, when the browser comes back from there, which people it may sign in as.',
  method: 'GET',
  at: ['/sign-in'],
  returns: Single(SignIn),
  async run(call) {
    const { db, identityProvider, byBody } = call
    if (!identityProvider) return { data: { identity_provider: null, identity: null, people: [] } }
    const { name, isRequired } = identityProvider
    const identity_provider = { name, url: byBody.signInUrl, may_be_required: isRequired }
    const identity = await byBody.identity(digest => findIdentity(db, digest))
    return { data: { identity_provider, ...(await told(call, identity)) } }
  },
})

async function told({ db, byBody }: AdminCall, identity: ProviderIdentity | undefined) {
  if (!identity) {
    byBody.forgetIdentity()
    return { identity: null, people: [] }
  }
  const { email, email_verified } = identity
  const people = (await peopleNamed(db, identity)).map(({ company_id, company_name, id, name, email }) => ({
    company: { id: company_id, name: company_name },
    user: { id, name, email },
  }))
  return { identity: { email, email_verified }, people }
}
