import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import * as z from 'zod'
import type { InstalledHook } from '../agents/agent.ts'

/** What a hook gets instead of a call: it opens its hub and says which one that is. */
const probeEvent = 'BeckonProbe'

/** Runs a hook as a host would, with a probe for input, and returns the hub that it reached. */
export async function probeHook(hook: InstalledHook, cwd: string): Promise<string> {
  const { command, args, env } = commandOf(hook)
  const { code, stdout, stderr } = await run(command, args, { ...hook.env, ...env }, cwd)
  const parsed = reply.safeParse(parse(stdout))
  if (parsed.success) return parsed.data.hub
  const said = reason.safeParse(parse(stdout))
  throw new Error((said.success ? said.data.reason : stderr.trim().split('\n')[0]) || `it ended with exit code ${code}`)
}

const reply = z.looseObject({ hub: z.string() })
const reason = z.looseObject({ reason: z.string() })
const pluginOptions = z.looseObject({ command: z.array(z.string()), env: z.record(z.string(), z.string()) })

function commandOf({ command, file }: InstalledHook): { command: string; args: string[]; env: NodeJS.ProcessEnv } {
  if (command !== null) return { command: '/bin/sh', args: ['-c', command], env: {} }
  const [, text = ''] = /^const options = (\{.*\})$/m.exec(readFileSync(file, 'utf8')) ?? []
  const options = pluginOptions.safeParse(parse(text))
  const [program, ...args] = options.data?.command ?? []
  if (program === undefined) throw new Error(`${file} is not the plugin that Beckon wrote`)
  return { command: program, args: [...args, 'hook', 'opencode'], env: options.data?.env ?? {} }
}

function run(command: string, args: string[], env: NodeJS.ProcessEnv, cwd: string) {
  return new Promise<{ code: number | null; stdout: string; stderr: string }>((done, fail) => {
    const child = spawn(command, args, { env, cwd, stdio: 'pipe', timeout: 30_000 })
    const written = { stdout: '', stderr: '' }
    for (const name of ['stdout', 'stderr'] as const) {
      child[name].setEncoding('utf8').on('data', chunk => {
        written[name] += chunk
      })
    }
    child.on('error', fail)
    child.on('close', code => done({ code, ...written }))
    child.stdin.on('error', () => {})
    child.stdin.end(JSON.stringify({ hook_event_name: probeEvent, cwd }))
  })
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
