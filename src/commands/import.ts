import { command } from './frame/command.ts'
import { DATES, ENCODINGS, FORMATS } from './import/choices.ts'
import { URL_OPTION } from './remote.ts'

export const importTasks = command({
  name: 'import',
  summary: 'Create tasks from a CSV file, or an export of Redmine or Asana.',
  description:
    'Needs an API key in DIWAN_KEY. An import that was interrupted goes on when the same command is given again, and no row comes twice.',
  arguments: [{ name: 'FILE', help: 'CSV with a header; JSON too for Redmine and Asana' }],
  options: {
    project: { type: 'text', value: 'REF', isRequired: true, help: 'The ref or slug of the project' },
    format: { type: 'text', choices: FORMATS, default: 'csv', help: 'Where FILE comes from' },
    list: { type: 'text', value: 'TITLE', help: 'The list for all tasks; with --list-by, for rows without one' },
    'list-by': { type: 'text', value: 'COLUMN', help: 'The column that names the list' },
    map: { type: 'list', value: 'FIELD=COLUMN', help: 'Columns with names of their own, such as due=Deadline' },
    dates: { type: 'text', choices: DATES, default: 'iso', help: 'How due dates are written' },
    encoding: { type: 'text', choices: ENCODINGS, default: 'utf-8', help: 'The encoding of FILE' },
    done: { type: 'list', value: 'STATUS', help: 'The statuses of completed tasks' },
    'drop-extra': { type: 'flag', help: 'Leave out what has no place in a task' },
    'skip-bad': { type: 'flag', help: 'Leave out bad rows, and write them to FILE.rejected.csv' },
    'dry-run': { type: 'flag', help: 'Read everything, say what would be done, and write nothing' },
    again: { type: 'flag', help: 'Begin anew, though FILE was imported before' },
    batch: { type: 'number', default: 100, minimum: 1, maximum: 100, help: 'Tasks in one call' },
    json: { type: 'flag', help: 'Print the summary as JSON' },
    ...URL_OPTION,
  },
  examples: ['import tasks.csv --project website-launch --dry-run'],
  async run({ args: [file = ''], options }) {
    const { importFile } = await import('./import/run.ts')
    await importFile(file, options)
  },
})
