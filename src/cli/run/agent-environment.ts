import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { RunSettings } from '../../supervisor/settings.ts'
import { refuseIfOthersCanWrite } from '../../system/ownership.ts'
import { programFile } from '../../system/programs.ts'
import type { Context } from '../context.ts'

// With these a program can answer requests or open secrets: not for an agent.
const forPeople = ['BECKON_TOKEN', 'BECKON_KEY', 'BECKON_ANSWERS']

/** The environment that the agent of a run starts with. */
export function agentEnvironment({ env }: Context, home: string, { nonce }: RunSettings): NodeJS.ProcessEnv {
  const allowed = Object.entries(env).filter(([name]) => !forPeople.includes(name))
  return {
    ...Object.fromEntries(allowed),
    BECKON_HOME: home,
    PATH: [commandFolder(home), env.PATH].filter(Boolean).join(':'),
    ...(nonce === null ? {} : { BECKON_NONCE: nonce }),
  }
}

/** A folder with the commands that agents ask with; they run on the same Node as we do. */
export function commandFolder(home: string): string {
  const folder = join(home, 'bin')
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  // Another user may have made the home just before we did, and agents run what is in this folder.
  for (const path of [home, folder]) refuseIfOthersCanWrite(path, 'BECKON_HOME')
  for (const [name, file] of Object.entries({ beckon: 'beckon.js', AskUserQuestion: 'ask-user-question.js' })) {
    writeCommand(join(folder, name), `#!/bin/sh\nexec ${quoted(process.execPath)} ${quoted(programFile(file))} "$@"\n`)
  }
  return folder
}

/** Replaced as a whole, and only when it changes: another run may be starting it right now. */
function writeCommand(command: string, content: string): void {
  if (existsSync(command) && readFileSync(command, 'utf8') === content) return
  const fresh = `${command}.${process.pid}`
  writeFileSync(fresh, content, { mode: 0o700 })
  renameSync(fresh, command)
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}
