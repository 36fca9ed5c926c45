import Type from 'typebox'
import { ACCESS } from '../domain/access/operations.ts'
import { OneOf, Single } from '../http/answers/schema.ts'
import { endpoint } from './gate.ts'

const Account = Type.Object(
  {
    key: Type.Object({
      name: Type.String(),
      access: OneOf(ACCESS),
      operations: Type.Array(Type.String(), { description: 'The exact operations the key may call' }),
    }),
    company: Type.Object({ name: Type.String() }),
    created_by: Type.Object(
      { name: Type.String(), email: Type.String({ format: 'email' }) },
      { description: "The key's creator: a signature, not the identity the call runs as" },
    ),
  },
  {
    title: 'Account',
    examples: [
      {
        key: { name: 'Reporting', access: 'read', operations: ['account:read', 'projects:read'] },
        company: { name: 'Diwan Demo' },
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
  run: async ({ key, company, signature }) => ({ data: { key, company, created_by: signature } }),
})
