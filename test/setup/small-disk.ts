import { execFileSync } from 'node:child_process'
import { chmodSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from './databases.ts'

/** A separate file system, because only a real one can be full or read-only for root. */
export interface SmallDisk {
  folder: string
  fill(): void
  makeRoom(): void
  setReadOnly(isReadOnly: boolean): void
  unmount(): void
}

export function createSmallDisk(size: string): SmallDisk {
  const folder = temporaryFolder()
  const ballast = join(folder, 'ballast')
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', folder])
  chmodSync(folder, 0o700)
  return { folder, fill, makeRoom: () => rmSync(ballast), setReadOnly, unmount }

  function fill() {
    try {
      execFileSync('dd', ['if=/dev/zero', `of=${ballast}`, 'bs=4k'], { stdio: 'ignore' })
    } catch {
      // dd fails when the disk is full, as intended.
    }
  }

  function setReadOnly(isReadOnly: boolean) {
    execFileSync('mount', ['-o', `remount,${isReadOnly ? 'ro' : 'rw'}`, folder])
  }

  /** Lazily: a process that still ends may have a file open. */
  function unmount() {
    execFileSync('umount', ['--lazy', folder])
  }
}

/** Only root may, and not in every container. */
export function mayMount(): boolean {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return false
  try {
    createSmallDisk('64k').unmount()
    return true
  } catch {
    return false
  }
}
