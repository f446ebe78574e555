import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { BeckonError } from '../../protocol/errors.ts'
import type { RunSettings } from '../../supervisor/settings.ts'
import { bashStartFile } from '../../system/home.ts'
import { refuseIfOthersCanWrite } from '../../system/ownership.ts'
import { programFile } from '../../system/programs.ts'
import type { Context } from '../context.ts'

// With these a program can answer requests or open secrets: not for an agent.
const forPeople = ['BECKON_TOKEN', 'BECKON_KEY', 'BECKON_ANSWERS']

/** The environment that the agent of a run starts with. */
export function agentEnvironment({ env }: Context, home: string, { nonce }: RunSettings): NodeJS.ProcessEnv {
  const allowed = Object.entries(env).filter(([name]) => !forPeople.includes(name))
  const commands = commandFolder(home)
  return {
    ...Object.fromEntries(allowed),
    BECKON_HOME: home,
    PATH: [commands, env.PATH].filter(Boolean).join(':'),
    ...forLoginShells(home, commands, env),
    ...(nonce === null ? {} : { BECKON_NONCE: nonce }),
  }
}

/**
 * Codex and others run commands with `bash -lc`, and /etc/profile of Debian and others sets PATH anew. Bash reads BASH_ENV
 * after the profile, so that our commands are on the PATH again; a file that the person named there is still read.
 */
function forLoginShells(home: string, commands: string, { BASH_ENV: theirs = '' }: NodeJS.ProcessEnv) {
  const file = bashStartFile(home)
  const readTheirs = `if [ -n "\${BECKON_BASH_ENV-}" ]; then eval "[ ! -r \\"$BECKON_BASH_ENV\\" ] || . \\"$BECKON_BASH_ENV\\""; fi`
  const folder = quoted(commands)
  writeFile(file, `${readTheirs}\ncase ":$PATH:" in *:${folder}:*) ;; *) PATH=${folder}:$PATH ;; esac\n`, 0o600)
  return { BASH_ENV: file, ...(theirs === '' || theirs === file ? {} : { BECKON_BASH_ENV: theirs }) }
}

/** A folder with the commands that agents ask with; they run on the same Node as we do. */
export function commandFolder(home: string): string {
  const folder = join(home, 'bin')
  makeFolder(folder)
  // Another user may have made the home just before we did, and agents run what is in this folder.
  for (const path of [home, folder]) refuseIfOthersCanWrite(path, 'BECKON_HOME')
  for (const [name, file] of Object.entries({ beckon: 'beckon.js', AskUserQuestion: 'ask-user-question.js' })) {
    const script = `#!/bin/sh\nexec ${quoted(process.execPath)} ${quoted(programFile(file))} "$@"\n`
    writeFile(join(folder, name), script, 0o700)
  }
  return folder
}

function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
  } catch (error) {
    throw unwritable(folder, error)
  }
}

/** Replaced as a whole, and only when it changes: another run may be reading it right now. */
function writeFile(file: string, content: string, mode: number): void {
  if (existsSync(file) && readFileSync(file, 'utf8') === content) return
  const fresh = `${file}.${process.pid}`
  try {
    writeFileSync(fresh, content, { mode })
    renameSync(fresh, file)
  } catch (error) {
    rmSync(fresh, { force: true })
    throw unwritable(dirname(file), error)
  }
}

/** On a read-only disk, Node reports a folder that it cannot create as missing (ENOENT). */
function unwritable(folder: string, error: unknown): BeckonError {
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown'
  const what = `so the commands that the agent asks with cannot be put there (${code})`
  return code === 'ENOSPC' || code === 'EDQUOT'
    ? new BeckonError('disk_full', `The disk of ${folder} is full, ${what}. Make room and try again.`, null, error)
    : new BeckonError(
        'read_only',
        `${folder} cannot be written, ${what}. Check that its disk is not read-only and that it belongs to you.`,
        null,
        error,
      )
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}
