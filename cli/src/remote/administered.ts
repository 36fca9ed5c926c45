import type { Command, Group } from '../frame/command.ts'

/** The commands are generated from the declarations of the administration, which are loaded when one of them is needed. */
function group(name: string, summary: string, ...local: Command[]): Group {
  return { name, summary, load: async () => [...(await import('./administration.ts')).commandsOf(name), ...local] }
}

/** Beside them stand those that work on the database itself: they are given. */
export const administered = (ofCompany: Command) => [
  group('company', 'List, show, create, update, close, reopen and move companies.', ofCompany),
  group('user', 'List, add, update and invite the people of a company.'),
  group('key', 'List, create, rotate and revoke API keys.'),
  group('webhook', 'List, create, test, replay, rotate and delete webhooks.'),
]
