#!/usr/bin/env node
// Nothing is imported before this check, so that an old Node.js can still print the message. The rest may use modern features.
const NEEDED_MAJOR = 20
const NEEDED_MINOR = 19

// Whatever is written, by the database too, is for the user who runs this: folders become 0700 and files 0600.
process.umask(0o077)

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
if (major > NEEDED_MAJOR || (major === NEEDED_MAJOR && minor >= NEEDED_MINOR)) {
  await import('./cli/src/command-line.ts')
} else {
  process.stderr.write(
    `diwan: Node.js ${NEEDED_MAJOR}.${NEEDED_MINOR} or newer is needed; this is ${process.versions.node}\n`,
  )
  process.exitCode = 1
}
