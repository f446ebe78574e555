import { execFile } from 'node:child_process'
import { accessSync, constants, statSync } from 'node:fs'
import { delimiter, join, resolve } from 'node:path'

/** An agent's program on this machine. */
export interface FoundAgent {
  program: string
  /** Null where it did not tell. */
  version: string | null
}

/** Looks for an agent on PATH and asks it for its version. */
export async function findAgent(name: string, env: NodeJS.ProcessEnv): Promise<FoundAgent | null> {
  const program = findProgram(name, env)
  return program === null ? null : { program, version: await versionOf(program, env) }
}

export function findProgram(name: string, env: NodeJS.ProcessEnv): string | null {
  const names = process.platform === 'win32' ? [`${name}.exe`, `${name}.cmd`, name] : [name]
  for (const folder of (env.PATH ?? '').split(delimiter)) {
    if (folder === '') continue
    const found = names.map(name => resolve(join(folder, name))).find(isProgram)
    if (found) return found
  }
  return null
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch {
    return false
  }
}

function versionOf(program: string, env: NodeJS.ProcessEnv): Promise<string | null> {
  return new Promise(done => {
    const child = execFile(program, ['--version'], { env, timeout: 20_000, maxBuffer: 100_000 }, (_, stdout) =>
      done(/\d+\.\d+\.\d+\S*/.exec(stdout)?.[0] ?? null),
    )
    child.stdin?.end()
  })
}

/** Whether a version is another one or newer. An unknown one is not. */
export function isAtLeast(version: string | null, least: string): boolean {
  if (version === null) return false
  const parts = (text: string) => text.split(/[.-]/).slice(0, 3).map(Number)
  const wanted = parts(least)
  for (const [index, part] of parts(version).entries()) {
    const other = wanted[index] ?? 0
    if (part !== other) return part > other
  }
  return true
}
