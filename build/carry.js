import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

// What the program reads besides its code. The compiler leaves it behind.
const FOLDERS = ['db/migrations', 'db/cluster', 'adapters/scanner/yara/rules']

for (const folder of FOLDERS) carry(join('src', folder), join('dist', folder))

/** File by file, each whole at once: another process may be starting from there. */
function carry(from, to) {
  mkdirSync(to, { recursive: true })
  const names = readdirSync(from)
  for (const name of names) {
    const draft = join('dist', `.carried.${process.pid}`)
    writeFileSync(draft, readFileSync(join(from, name)))
    renameSync(draft, join(to, name))
  }
  for (const name of readdirSync(to)) if (!names.includes(name)) rmSync(join(to, name), { force: true })
}
