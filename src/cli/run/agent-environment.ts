import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { RunSettings } from '../../supervisor/settings.ts'
import { programFile } from '../../system/programs.ts'
import type { Context } from '../context.ts'

// They answer, or unlock what was answered: not for an agent.
const forPeople = ['BECKON_TOKEN', 'BECKON_KEY', 'BECKON_ANSWERS']

/** What the agent of a run is started with. */
export function agentEnvironment({ env }: Context, home: string, { nonce }: RunSettings): NodeJS.ProcessEnv {
  const kept = Object.entries(env).filter(([name]) => !forPeople.includes(name))
  return {
    ...Object.fromEntries(kept),
    BECKON_HOME: home,
    PATH: [doorsIn(home), env.PATH].filter(Boolean).join(':'),
    ...(nonce === null ? {} : { BECKON_NONCE: nonce }),
  }
}

/** A folder with the commands that an agent asks by, on the Node that runs us. */
export function doorsIn(home: string): string {
  const folder = join(home, 'bin')
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  for (const [name, file] of Object.entries({ beckon: 'beckon.js', AskUserQuestion: 'ask-user-question.js' })) {
    putDoor(join(folder, name), `#!/bin/sh\nexec ${quoted(process.execPath)} ${quoted(programFile(file))} "$@"\n`)
  }
  return folder
}

/** Another run may be going through it right now: it is replaced as a whole, and only by another one. */
function putDoor(door: string, content: string): void {
  if (existsSync(door) && readFileSync(door, 'utf8') === content) return
  const fresh = `${door}.${process.pid}`
  writeFileSync(fresh, content, { mode: 0o700 })
  renameSync(fresh, door)
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}
