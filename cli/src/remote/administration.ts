import { createCompany, getCompany, listCompanies, updateCompany } from '../../../src/admin/companies.ts'
import { closeCompany, reopenCompany } from '../../../src/admin/company-closing.ts'
import { inviteUser } from '../../../src/admin/invitations.ts'
import { rotateKey } from '../../../src/admin/key-rotation.ts'
import { createKey, listKeys, revokeKey } from '../../../src/admin/keys.ts'
import { createUser, listUsers, updateUser } from '../../../src/admin/users.ts'
import { listWebhookDeliveries, replayWebhook, replayWebhookDelivery } from '../../../src/admin/webhook-deliveries.ts'
import { rotateWebhookSecret } from '../../../src/admin/webhook-rotation.ts'
import { testWebhook } from '../../../src/admin/webhook-test.ts'
import { createWebhook, deleteWebhook, listWebhooks } from '../../../src/admin/webhooks.ts'
import type { Command } from '../frame/command.ts'
import { type Administered, derive } from './derived.ts'

const KEY = ['id', 'name', 'access', 'last_four', 'created_by.name', 'last_used_at', 'expires_at', 'revoked_at']

/** Which declarations of the administration are commands, and what people are shown of their answers. */
const COMMANDS: Administered[] = [
  {
    name: 'company list',
    endpoint: listCompanies,
    columns: ['id', 'name', 'plan', 'subscription', 'owner.email', 'keys_count', 'calls_today', 'closed_at'],
    examples: ['company list --plan free', 'company list --json'],
  },
  { name: 'company show', endpoint: getCompany, examples: ['company show 1'] },
  {
    name: 'company create',
    endpoint: createCompany,
    secret: ['owner_token'],
    examples: [
      'company create --name "Najd Trading" --time-zone Asia/Riyadh --plan pro \\\n--owner-name Layla --owner-email layla@example.com',
    ],
  },
  { name: 'company update', endpoint: updateCompany, examples: ['company update 1 --plan advanced --rest-api'] },
  { name: 'company close', endpoint: closeCompany, examples: ['company close 1 --name "Najd Trading"'] },
  { name: 'company reopen', endpoint: reopenCompany, examples: ['company reopen 1'] },
  {
    name: 'user list',
    endpoint: listUsers,
    columns: ['id', 'name', 'email', 'role', 'can_manage_api_keys', 'active', 'language'],
  },
  {
    name: 'user add',
    endpoint: createUser,
    secret: ['invitation', 'code'],
    examples: ['user add --name "Omar Aziz" --email omar@example.com'],
  },
  {
    name: 'user update',
    endpoint: updateUser,
    examples: ['user update 2 --role manager', 'user update 2 --no-active'],
  },
  { name: 'user invite', endpoint: inviteUser, secret: ['invitation', 'code'], examples: ['user invite 2'] },
  { name: 'key list', endpoint: listKeys, columns: KEY },
  {
    name: 'key create',
    endpoint: createKey,
    secret: ['key'],
    defaults: { name: 'Command line', access: 'write' },
    examples: ['key create --name Reporting --access read', 'key create --operations account:read,tasks:read'],
  },
  { name: 'key rotate', endpoint: rotateKey, secret: ['key'], examples: ['key rotate 5 --overlap-hours 48'] },
  { name: 'key revoke', endpoint: revokeKey, examples: ['key revoke 5'] },
  {
    name: 'webhook list',
    endpoint: listWebhooks,
    columns: ['id', 'name', 'url', 'kinds', 'project', 'active', 'failing_since'],
  },
  {
    name: 'webhook create',
    endpoint: createWebhook,
    secret: ['secret'],
    examples: [
      "webhook create --name Warehouse \\\n--webhook-url https://example.com/hooks --kinds 'task.completed,discussion.*'",
    ],
  },
  { name: 'webhook test', endpoint: testWebhook, failsUnless: 'delivered', examples: ['webhook test 3'] },
  {
    name: 'webhook deliveries',
    endpoint: listWebhookDeliveries,
    columns: ['id', 'created_at', 'type', 'record_id', 'state', 'attempts', 'status', 'error', 'ms'],
    examples: ['webhook deliveries 3 --state failed --limit 20'],
  },
  {
    name: 'webhook replay',
    endpoint: replayWebhook,
    ofOne: replayWebhookDelivery,
    examples: ['webhook replay 3 --since 2026-11-15 --failed-only', 'webhook replay 3 91'],
  },
  { name: 'webhook rotate', endpoint: rotateWebhookSecret, secret: ['secret'], examples: ['webhook rotate 3'] },
  { name: 'webhook delete', endpoint: deleteWebhook, examples: ['webhook delete 3'] },
]

export function commandsOf(group: string): Command[] {
  return COMMANDS.filter(({ name }) => name.startsWith(`${group} `)).map(derive)
}
