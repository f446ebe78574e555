import { renameSync, writeFileSync } from 'node:fs'

/** Replaces a file as a whole: a reader finds the old content or the new one. Only this user can read it. */
export function writeFileAtomically(file: string, content: string | Uint8Array): void {
  writeFileSync(`${file}.new`, content, { mode: 0o600 })
  renameSync(`${file}.new`, file)
}
