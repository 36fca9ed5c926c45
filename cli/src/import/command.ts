import { command } from '../frame/command.ts'
import { URL_OPTION } from '../remote/server.ts'
import { DATES, ENCODINGS, FORMATS } from './choices.ts'

export const importTasks = command({
  name: 'import',
  summary: 'Create tasks from a CSV file, or an export of Redmine or Asana.',
  description:
    'Needs an API key in DIWAN_KEY. Run the same command again to continue an import that was interrupted, or to bring in what has changed where FILE has ids: no task is created twice.',
  arguments: [{ name: 'FILE', help: 'A CSV file with a header row; for Redmine and Asana also JSON' }],
  options: {
    project: { type: 'text', value: 'REF', isRequired: true, help: 'The ref or slug of the project' },
    format: { type: 'text', choices: FORMATS, default: 'csv', help: 'Where FILE comes from' },
    list: { type: 'text', value: 'TITLE', help: 'The list for all tasks; with --list-by, for rows that name none' },
    'list-by': { type: 'text', value: 'COLUMN', help: 'The column that names the list' },
    map: { type: 'list', value: 'FIELD=COLUMN', help: 'Which column is used for a field: due=Deadline' },
    dates: { type: 'text', choices: DATES, default: 'iso', help: 'How due dates are written' },
    encoding: { type: 'text', choices: ENCODINGS, default: 'utf-8', help: 'The encoding of FILE' },
    'id-prefix': { type: 'text', value: 'TEXT', help: 'What external ids begin with, before the id in FILE' },
    'time-entries': { type: 'text', value: 'FILE', help: 'For Redmine: the JSON of its time entries' },
    done: { type: 'list', value: 'STATUS', help: 'The statuses that count as completed' },
    'drop-extra': { type: 'flag', help: 'Do not add other columns to the description' },
    'skip-bad': { type: 'flag', help: 'Skip bad rows, and write them to FILE.rejected.csv' },
    'dry-run': { type: 'flag', help: 'Check FILE and report what would be created' },
    again: { type: 'flag', help: 'Create every task once more, if FILE has no ids' },
    batch: { type: 'number', default: 100, minimum: 1, maximum: 100, help: 'Tasks in one call' },
    json: { type: 'flag', help: 'Print the summary as JSON' },
    ...URL_OPTION,
  },
  examples: ['import tasks.csv --project website-launch --dry-run'],
  async run({ args: [file = ''], options }) {
    const { importFile } = await import('./run.ts')
    await importFile(file, options)
  },
})
