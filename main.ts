#!/usr/bin/env node
// Nothing is imported before this check, so that an old Node.js can still print the message. The rest may use modern features.
const NEEDED_MAJOR = 20
const NEEDED_MINOR = 19

// Whatever is written, by the database too, is for the user who runs this: folders become 0700 and files 0600.
process.umask(0o077)

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
if (major > NEEDED_MAJOR || (major === NEEDED_MAJOR && minor >= NEEDED_MINOR)) {
  const { runCommand } = await import('./cli/src/command-line.ts')
  // The reader of the output may close the pipe early.
  process.stdout.on('error', error => {
    if ('code' in error && error.code === 'EPIPE') process.exit(0)
    throw error
  })
  const failed = await runCommand(process.argv.slice(2))
  if (failed !== undefined) process.exit(failed)
} else {
  process.stderr.write(
    `diwan: Node.js ${NEEDED_MAJOR}.${NEEDED_MINOR} or newer is needed; this is ${process.versions.node}\n`,
  )
  process.exitCode = 1
}
