import type { Command } from '../frame/command.ts'
import { type Administered, derive } from './derived.ts'
import { operationNamed } from './description.ts'

const KEY = ['id', 'name', 'access', 'last_four', 'created_by.name', 'last_used_at', 'expires_at', 'revoked_at']

interface Chosen extends Omit<Administered, 'operation' | 'ofOne'> {
  /** The ids of operations in the description of the administration. */
  operation: string
  ofOne?: string
}

/** Which operations of the administration are commands, and what people are shown of their answers. */
const COMMANDS: Chosen[] = [
  {
    name: 'company list',
    operation: 'listCompanies',
    columns: ['id', 'name', 'plan', 'subscription', 'owner.email', 'keys_count', 'calls_today', 'closed_at'],
    examples: ['company list --plan free', 'company list --json'],
  },
  { name: 'company show', operation: 'getCompany', examples: ['company show 1'] },
  {
    name: 'company create',
    operation: 'createCompany',
    secret: ['owner_token'],
    examples: [
      'company create --name "Najd Trading" --time-zone Asia/Riyadh --plan pro \\\n--owner-name Layla --owner-email layla@example.com',
    ],
  },
  { name: 'company update', operation: 'updateCompany', examples: ['company update 1 --plan advanced --rest-api'] },
  { name: 'company close', operation: 'closeCompany', examples: ['company close 1 --name "Najd Trading"'] },
  { name: 'company reopen', operation: 'reopenCompany', examples: ['company reopen 1'] },
  {
    name: 'user list',
    operation: 'listUsers',
    columns: ['id', 'name', 'email', 'role', 'can_manage_api_keys', 'active', 'language'],
  },
  {
    name: 'user add',
    operation: 'createUser',
    secret: ['invitation', 'code'],
    examples: ['user add --name "Omar Aziz" --email omar@example.com'],
  },
  {
    name: 'user update',
    operation: 'updateUser',
    examples: ['user update 2 --role manager', 'user update 2 --no-active'],
  },
  { name: 'user invite', operation: 'inviteUser', secret: ['invitation', 'code'], examples: ['user invite 2'] },
  { name: 'key list', operation: 'listKeys', columns: KEY },
  {
    name: 'key create',
    operation: 'createKey',
    secret: ['key'],
    defaults: { name: 'Command line', access: 'write' },
    examples: ['key create --name Reporting --access read', 'key create --operations account:read,tasks:read'],
  },
  { name: 'key rotate', operation: 'rotateKey', secret: ['key'], examples: ['key rotate 5 --overlap-hours 48'] },
  { name: 'key revoke', operation: 'revokeKey', examples: ['key revoke 5'] },
  {
    name: 'webhook list',
    operation: 'listWebhooks',
    columns: ['id', 'name', 'url', 'kinds', 'project', 'active', 'failing_since'],
  },
  {
    name: 'webhook create',
    operation: 'createWebhook',
    secret: ['secret'],
    examples: [
      "webhook create --name Warehouse \\\n--webhook-url https://example.com/hooks --kinds 'task.completed,discussion.*'",
    ],
  },
  { name: 'webhook test', operation: 'testWebhook', failsUnless: 'delivered', examples: ['webhook test 3'] },
  {
    name: 'webhook deliveries',
    operation: 'listWebhookDeliveries',
    columns: ['id', 'created_at', 'type', 'record_id', 'state', 'attempts', 'status', 'error', 'ms'],
    examples: ['webhook deliveries 3 --state failed --limit 20'],
  },
  {
    name: 'webhook replay',
    operation: 'replayWebhook',
    ofOne: 'replayWebhookDelivery',
    examples: ['webhook replay 3 --since 2026-11-15 --failed-only', 'webhook replay 3 91'],
  },
  { name: 'webhook rotate', operation: 'rotateWebhookSecret', secret: ['secret'], examples: ['webhook rotate 3'] },
  { name: 'webhook delete', operation: 'deleteWebhook', examples: ['webhook delete 3'] },
]

export function commandsOf(group: string): Command[] {
  return COMMANDS.filter(({ name }) => name.startsWith(`${group} `)).map(({ operation, ofOne, ...command }) =>
    derive({
      ...command,
      operation: operationNamed(operation),
      ...(ofOne !== undefined && { ofOne: operationNamed(ofOne) }),
    }),
  )
}
