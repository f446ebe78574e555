import { renameSync, rmSync, writeFileSync } from 'node:fs'

/** Replaces a file as a whole: a reader finds the old content or the new one. Only this user can read it. */
export function writeFileAtomically(file: string, content: string | Uint8Array): void {
  // Another process may replace it at the same time.
  const fresh = `${file}.${process.pid}.new`
  try {
    writeFileSync(fresh, content, { mode: 0o600 })
    renameSync(fresh, file)
  } catch (error) {
    rmSync(fresh, { force: true })
    throw error
  }
}
