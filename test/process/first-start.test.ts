import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { describeWith } from '../support/describe-with.ts'
import { launch, newFolder, strace } from '../support/server-process.ts'
import { until } from '../support/servers.ts'

describeWith('strace', 'The first start on the embedded database', () => {
  it.skipIf(!strace())('flushes every file of a new database, then its folders, then gives it its name', async () => {
    const order = join(newFolder(), 'order')
    const traces = ['-e', 'trace=fsync,fdatasync,rename,renameat,renameat2,link,linkat']
    const ordered = strace('-y', '-ttt', ...traces, '-o', order)
    const dataDir = join(newFolder(), 'data')
    const server = launch({ DATA_DIR: dataDir, PORT: '0' }, ['serve'], ordered)
    const lines = () => (existsSync(order) ? readFileSync(order, 'utf8').split('\n') : [])
    const named = (line: string) => /rename/.test(line) && line.includes(`"${dataDir}/database"`)
    const flushed = (path: string) => (line: string) => line.includes('sync(') && line.includes(`<${path}>`)
    await until(async () => {
      const at = lines().findIndex(named)
      return at >= 0 && lines().slice(at).some(flushed(dataDir))
    }, 120_000)
    await server.end('SIGKILL')

    const [before, name] = splitAt(lines(), named)
    const namedAt = Number(name.match(/\d+\.\d+/)?.[0]) * 1000
    const flushes = before.map(line => line.match(/sync\(\d+<([^>]+)>/)?.[1])
    const made = readdirSync(join(dataDir, 'database'), { recursive: true, withFileTypes: true })
      .map(entry => ({ path: join(entry.parentPath, entry.name), isFolder: entry.isDirectory() }))
      .filter(({ path }) => statSync(path).birthtimeMs < namedAt)
      .map(({ path, isFolder }) => ({ path: path.replace('/database/', '/database.new/'), isFolder }))
    expect(made.length).toBeGreaterThan(900)
    expect(made.filter(({ path }) => !flushes.includes(path))).toEqual([])
    const lastFile = Math.max(...made.filter(each => !each.isFolder).map(({ path }) => flushes.lastIndexOf(path)))
    const folders = [...made.filter(each => each.isFolder).map(each => each.path), join(dataDir, 'database.new')]
    for (const folder of folders) expect(flushes.lastIndexOf(folder), folder).toBeGreaterThan(lastFile)

    for (const secret of ['server-secret', 'operator-token']) {
      const [, , after] = splitAt(before, line => line.includes('link') && line.includes(`"${dataDir}/${secret}"`))
      expect(after.some(flushed(dataDir)), secret).toBe(true)
    }
    expect(before.some(flushed(dirname(dataDir))), 'the name of the data folder').toBe(true)
  })
})

function splitAt(lines: string[], isIt: (line: string) => boolean): [string[], string, string[]] {
  const at = lines.findIndex(isIt)
  expect(at, String(isIt)).toBeGreaterThan(-1)
  return [lines.slice(0, at), lines[at] as string, lines.slice(at + 1)]
}
