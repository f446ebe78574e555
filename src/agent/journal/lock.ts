import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { BeckonError } from '../../protocol/errors.ts'
import { identify, isSame, type ProcessId } from '../../supervisor/processes-identity.ts'

/** One process at a time in one conversation; two would write into each other's. What a dead one left is taken over. */
export function lockFolder(folder: string): () => void {
  const file = join(folder, 'lock')
  const mine = `${file}.${process.pid}`
  const me = JSON.stringify(identify(process.pid) ?? { pid: process.pid, startedAt: '', boot: '' })
  for (let tries = 0; tries < 10; tries += 1) {
    writeFileSync(mine, me)
    try {
      // A link is made whole or not at all: nobody meets a file without its owner in it.
      linkSync(mine, file)
      return () => rmSync(file, { force: true })
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    } finally {
      rmSync(mine, { force: true })
    }
    const holder = holderOf(file)
    if (holder && isSame(holder)) {
      throw new BeckonError(
        'busy',
        `This conversation is open in another process (${holder.pid}). Close it there first.`,
      )
    }
    if (holder) takeAway(file, holder, mine)
  }
  throw new BeckonError('busy', `${file} cannot be taken.`)
}

/** By another name first: whoever took it in the meantime keeps it. */
function takeAway(file: string, holder: ProcessId, mine: string): void {
  try {
    renameSync(file, mine)
    if (JSON.stringify(holderOf(mine)) !== JSON.stringify(holder)) linkSync(mine, file)
  } catch {
    // Somebody else was quicker.
  } finally {
    rmSync(mine, { force: true })
  }
}

function holderOf(file: string): ProcessId | null {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as ProcessId
  } catch {
    return null
  }
}
