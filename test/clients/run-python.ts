import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'

export const clientFolder = join(import.meta.dirname, '../../clients/python')

// Debian's own, where there is one: the oldest that people have.
export const python = existsSync('/usr/bin/python3') ? '/usr/bin/python3' : 'python3'

interface PythonResult {
  code: number | string
  stdout: string
  stderr: string
}

interface RunningPython {
  child: ChildProcess
  result: Promise<PythonResult>
  /** Its next line. */
  line(): Promise<string>
}

interface Settings {
  url: string
  token: string
  cwd?: string
  env?: Record<string, string>
}

/** Runs a program that has `hub` and `show`, which prints its arguments as one line of JSON. */
export function startPython(program: string, { url, token, cwd, env = {} }: Settings): RunningPython {
  const child = spawn(python, ['-c', `${prelude}${dedent(program)}`], {
    cwd: cwd ?? '/',
    env: {
      PATH: process.env.PATH,
      PYTHONPATH: clientFolder,
      PYTHONDONTWRITEBYTECODE: '1',
      BECKON_URL: url,
      BECKON_TOKEN: token,
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let stdout = ''
  let stderr = ''
  let read = 0
  child.stdout.setEncoding('utf8').on('data', chunk => {
    stdout += chunk
    child.emit('written')
  })
  child.stderr.setEncoding('utf8').on('data', chunk => {
    stderr += chunk
  })
  const result = once(child, 'close').then(([code, signal]) => ({ code: signal ?? code, stdout, stderr }))
  return { child, result, line }

  async function line(): Promise<string> {
    for (;;) {
      const end = stdout.indexOf('\n', read)
      if (end >= 0) {
        const found = stdout.slice(read, end)
        read = end + 1
        return found
      }
      if (child.exitCode !== null) throw new Error(`Python ended without another line:\n${stdout}${stderr}`)
      await Promise.race([once(child, 'written'), once(child, 'close')])
    }
  }
}

/** The lines that a program shows, parsed. */
export async function runPython(program: string, settings: Settings): Promise<unknown[]> {
  const { code, stdout, stderr } = await startPython(program, settings).result
  if (code !== 0) throw new Error(`Python ended with ${code}:\n${stderr}${stdout}`)
  return stdout
    .split('\n')
    .filter(Boolean)
    .map(line => JSON.parse(line))
}

const prelude = `import json
from beckon import *
hub = Hub(agent="script")
def show(*parts): print(json.dumps(parts[0] if len(parts) == 1 else parts), flush=True)
`

function dedent(program: string): string {
  const depths = [...program.matchAll(/\n( *)\S/g)].map(([, indent = '']) => indent.length)
  return program.replaceAll(`\n${' '.repeat(Math.min(...depths, 80))}`, '\n')
}
