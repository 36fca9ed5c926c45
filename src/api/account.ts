import Type from 'typebox'
import { ACCESS, RIGHTS } from '../domain/access/operations.ts'
import { Instant, Nullable, OneOf, Single } from '../http/answers/schema.ts'
import { endpoint } from './gate.ts'

const Account = Type.Object(
  {
    key: Type.Object({
      name: Type.String(),
      access: OneOf(ACCESS),
      operations: Type.Array(Type.String(), { description: 'The exact operations the key may call' }),
      rights: Type.Array(OneOf(RIGHTS), { description: 'What the key may do beyond its operations' }),
      expires_at: Nullable(Instant({ description: 'When the key ends; null if it does not' })),
    }),
    company: Type.Object({
      name: Type.String(),
      sandbox: Type.Boolean({ description: 'True in a sandbox, where nothing is real (since 1.7.0)' }),
    }),
    created_by: Type.Object(
      { name: Type.String(), email: Type.String({ format: 'email' }) },
      { description: "The key's creator: a signature, not the identity the call runs as" },
    ),
  },
  {
    title: 'Account',
    examples: [
      {
        key: {
          name: 'Reporting',
          access: 'read',
          operations: ['account:read', 'projects:read'],
          rights: [],
          expires_at: null,
        },
        company: { name: 'Diwan Demo', sandbox: false },
        created_by: { name: 'Layla Haddad', email: 'layla@example.com' },
      },
    ],
  },
)

export const getAccount = endpoint({
  name: 'get_account',
  tool: 'get_account',
  since: '1.2.0',
  operation: 'account:read',
  summary: 'Show the key, its company and its creator',
  method: 'GET',
  at: ['/me'],
  returns: Single(Account),
  async run({ key, company, signer }) {
    // Inside JSON, from which the key was read, the database writes instants in another format.
    const expires_at = key.expires_at && new Date(key.expires_at).toISOString()
    return { data: { key: { ...key, expires_at }, company, created_by: signer } }
  },
})
