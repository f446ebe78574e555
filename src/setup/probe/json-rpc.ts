import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'

/** A program that speaks JSON-RPC in lines: an MCP server, or `codex app-server`. */
export interface JsonRpc {
  request(method: string, params: object): Promise<unknown>
  notify(method: string): void
  /** What it wrote to stderr. */
  stderr(): string
}

export interface StartOptions {
  command: string
  args: readonly string[]
  env: NodeJS.ProcessEnv
  cwd: string
  /** Milliseconds for everything. */
  limit: number
}

/** Starts the program for as long as the work takes. */
export async function withJsonRpc<T>(options: StartOptions, work: (rpc: JsonRpc) => Promise<T>): Promise<T> {
  const child = spawn(options.command, [...options.args], { env: options.env, cwd: options.cwd, stdio: 'pipe' })
  const gone = new Promise<never>((_, reject) => {
    child.on('error', error => reject(new Error(`${options.command} does not start: ${error.message}`)))
    child.on('close', code => reject(new Error(lastLine(stderr) ?? `it ended with exit code ${code}`)))
    const late = () => reject(new Error(`it did not answer within ${options.limit / 1_000} s`))
    setTimeout(late, options.limit).unref()
  })
  gone.catch(() => {})
  let stderr = ''
  child.stderr.setEncoding('utf8').on('data', chunk => {
    stderr = (stderr + chunk).slice(-20_000)
  })
  child.stdin.on('error', () => {})
  try {
    return await Promise.race([work(speak(child, () => stderr)), gone])
  } finally {
    child.stdin.end()
    child.kill()
    setTimeout(() => child.kill('SIGKILL'), 2_000).unref()
  }
}

function speak(child: ChildProcessWithoutNullStreams, stderr: () => string): JsonRpc {
  const waiting = new Map<number, (message: Message) => void>()
  let count = 0
  createInterface({ input: child.stdout }).on('line', line => {
    const message = parse(line)
    if (message?.id === undefined || message.method !== undefined) return
    waiting.get(message.id)?.(message)
  })
  return { request, notify, stderr }

  async function request(method: string, params: object): Promise<unknown> {
    count += 1
    const id = count
    const answer = new Promise<Message>(done => waiting.set(id, done))
    send({ jsonrpc: '2.0', id, method, params })
    const { result, error } = await answer
    if (error) throw new Error(`${method}: ${error.message ?? 'failed'}`)
    return result
  }

  function notify(method: string): void {
    send({ jsonrpc: '2.0', method })
  }

  function send(message: object): void {
    child.stdin.write(`${JSON.stringify(message)}\n`)
  }
}

interface Message {
  id?: number
  method?: string
  result?: unknown
  error?: { message?: string }
}

function parse(line: string): Message | null {
  try {
    return JSON.parse(line)
  } catch {
    return null
  }
}

function lastLine(text: string): string | null {
  return text.trim().split('\n').at(-1)?.trim() || null
}
