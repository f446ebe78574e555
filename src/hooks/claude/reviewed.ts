import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { writeFileAtomically } from '../../system/atomic-file.ts'
import { readOrNull } from '../../system/machine-fault.ts'
import { agentName } from './session.ts'

/** Whether these changes were reviewed last in this session. Stores a hash of them. */
export function wasReviewed(home: string, session: string, diff: string): boolean {
  return readOrNull(() => readFileSync(fileOf(home, session), 'utf8')) === hashOf(diff)
}

export function saveReview(home: string, session: string, diff: string): void {
  mkdirSync(join(home, 'hooks'), { recursive: true, mode: 0o700 })
  writeFileAtomically(fileOf(home, session), hashOf(diff))
}

function fileOf(home: string, session: string): string {
  return join(home, 'hooks', `reviewed-${hashOf(`${agentName} ${session}`)}`)
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 22)
}
