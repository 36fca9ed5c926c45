import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliDecompress } from 'node:zlib'
import { giveOwnIdentity } from './cluster-identity.ts'

/**
 * The output of initdb, made once by `npm run cluster`: running initdb in WebAssembly takes seconds, and leaves hundreds of
 * megabytes allocated. The first line names the folders, and the files with their sizes; their bytes follow.
 */
const PACKED_CLUSTER = new URL('./cluster/cluster.br', import.meta.url)

interface Contents {
  folders: string[]
  files: [name: string, sizeBytes: number][]
}

/** Makes an empty cluster in a folder that does not exist yet, with an identity of its own. Nothing is flushed. */
export async function unpackCluster(folder: string): Promise<void> {
  const unpacked = await promisify(brotliDecompress)(await readFile(PACKED_CLUSTER))
  const endOfLine = unpacked.indexOf('\n')
  const { folders, files }: Contents = JSON.parse(unpacked.toString('utf8', 0, endOfLine))
  for (const name of ['', ...folders]) await mkdir(join(folder, name))
  let at = endOfLine + 1
  for (const [name, sizeBytes] of files) {
    await writeFile(join(folder, name), unpacked.subarray(at, at + sizeBytes))
    at += sizeBytes
  }
  await giveOwnIdentity(folder)
}
