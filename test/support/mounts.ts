import { execFileSync, spawnSync } from 'node:child_process'
import { statfsSync, unlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll } from 'vitest'
import { REQUIRE_ALL } from './parts.ts'
import { newFolder } from './server-process.ts'

const mounted = new Set<string>()

afterAll(() => {
  for (const folder of mounted) spawnSync('umount', ['--lazy', folder])
})

function mount(...args: string[]): string {
  const folder = newFolder()
  execFileSync('mount', [...args, folder], { stdio: 'pipe' })
  mounted.add(folder)
  return folder
}

export function unmount(folder: string): void {
  execFileSync('umount', [folder], { stdio: 'pipe' })
  mounted.delete(folder)
}

/** Mounts a disk of a few megabytes, in memory. */
export function mountSmallDisk(megabytes: number): string {
  return mount('-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs')
}

/** Mounts a disk image. */
export function mountImage(image: string): string {
  return mount('-o', 'loop', image)
}

/** Mounting needs privileges that a test may not have. With REQUIRE_ALL, the test runs anyway and fails without them. */
export function canMount(mountSomething: () => string): boolean {
  if (REQUIRE_ALL) return true
  try {
    unmount(mountSomething())
    return true
  } catch {
    return false
  }
}

const MEGABYTE = 1024 * 1024

/** Fills a disk until only this much is free, and returns a function that frees the space again. */
export function fillDisk(folder: string, megabytesLeft: number): () => void {
  const { bavail, bsize } = statfsSync(folder)
  const ballast = join(folder, 'ballast')
  try {
    writeFileSync(ballast, Buffer.alloc(bavail * bsize - megabytesLeft * MEGABYTE))
  } catch (error) {
    // Somebody else has written there meanwhile: then it is full all the sooner.
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
  }
  return () => unlinkSync(ballast)
}
