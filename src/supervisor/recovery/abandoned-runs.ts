import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { runFolder } from '../folder.ts'
import { isAlone } from '../settings.ts'

/** Runs whose holder is there, or was when it was killed, and that nobody looks after; whatever the hub says of them. */
export function leftBehind(home: string): string[] {
  return runsIn(home).filter(run => {
    const { path, socket } = runFolder(home, run)
    return existsSync(socket) && isAlone(path)
  })
}

/** Whether a run is looked after from here. */
export function isOfHome(home: string, run: string): boolean {
  return existsSync(runFolder(home, run).path)
}

function runsIn(home: string): string[] {
  try {
    return readdirSync(join(home, 'runs'))
  } catch {
    return []
  }
}
