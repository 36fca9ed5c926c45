import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface SealedFolder {
  /** An empty folder, and an environment in which nothing outside of it is found. */
  open(): { path: string; env: Record<string, string> }
  remove(): void
}

/** Created when it is first needed. */
export function createSealedFolder(): SealedFolder {
  let root: string | undefined

  return {
    open() {
      root ??= make()
      const path = join(root, 'empty')
      return {
        path,
        // No secrets, no fonts of the machine, no Typst packages from this user's folders, and instead of a network a proxy
        // that nobody answers at.
        env: {
          HOME: path,
          XDG_DATA_HOME: path,
          XDG_CACHE_HOME: path,
          ALL_PROXY: 'http://127.0.0.1:9',
          FONTCONFIG_FILE: join(root, 'fonts.conf'),
        },
      }
    },

    remove() {
      if (root) rmSync(root, { recursive: true, force: true })
    },
  }
}

function make(): string {
  const root = mkdtempSync(join(tmpdir(), 'diwan-pdf-'))
  mkdirSync(join(root, 'empty'))
  // One font folder, which is empty: without any, fontconfig would search the usual ones of the system.
  writeFileSync(join(root, 'fonts.conf'), `<fontconfig><dir>${join(root, 'empty')}</dir></fontconfig>\n`)
  return root
}
