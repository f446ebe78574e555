import { spawn } from 'node:child_process'
import { hash } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openHub } from '../../src/open-hub.ts'
import { processesOf } from '../../src/supervisor/processes/processes.ts'

const launcher = join(import.meta.dirname, '../../bin/beckon.js')
const line = 'a line of output, like those of builds and tests, and the next one is like it\n'

/** Sends this much output through `beckon run`, and measures the memory of every process that it passes through. */
export async function streamOutput(bytes: number) {
  const root = mkdtempSync(join(tmpdir(), 'beckon-pass-'))
  const env = { ...process.env, BECKON_HOME: join(root, 'home') }
  const count = Math.ceil(bytes / line.length)
  const memory: Record<string, number> = {}
  const faults: string[] = []
  const began = performance.now()
  const running = spawn(
    process.execPath,
    [launcher, 'run', '--', 'bash', '-c', `yes '${line.trim()}' | head -n ${count}`],
    {
      cwd: root,
      env,
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  )
  let received = 0
  running.stdout.on('data', (chunk: Buffer) => {
    received += chunk.length
  })
  const hub = await openHub({ env: { BECKON_HOME: env.BECKON_HOME } })
  const timer = setInterval(() => void measure(), 200)
  try {
    const [code] = await once(running, 'close')
    clearInterval(timer)
    const seconds = (performance.now() - began) / 1_000
    if (code !== 0) faults.push(`it ended with ${code}`)
    if (received !== count * line.length) faults.push(`${received} bytes came through, not ${count * line.length}`)
    for (const [who, most] of Object.entries(memory)) {
      if (most >= 100e6) faults.push(`the ${who} took ${(most / 1e6).toFixed(0)} MB`)
    }
    const [run] = await hub.runs.list()
    const tail = spawn(process.execPath, [launcher, 'runs', 'logs', run?.id ?? '', '--tail', '3'], { cwd: root, env })
    const printed: Buffer[] = []
    tail.stdout.on('data', (chunk: Buffer) => printed.push(chunk))
    await once(tail, 'close')
    const last = Buffer.concat(printed).toString()
    if (last !== line.repeat(3)) faults.push(`the end of the log is ${hash('sha1', last)}: ${last.slice(0, 200)}`)
    return { faults, seconds, memory }
  } finally {
    clearInterval(timer)
    await hub.close()
    rmSync(root, { recursive: true, force: true })
  }

  async function measure() {
    recordPeak('supervisor', running.pid ?? 0)
    const [run] = await hub.runs.list()
    for (const pid of run ? processesOf(run.id) : []) {
      if (readOr(`/proc/${pid}/cmdline`).includes('holder')) recordPeak('holder', pid)
    }
  }

  /** Records the peak memory of a process. */
  function recordPeak(who: string, pid: number) {
    const status = readOr(`/proc/${pid}/status`)
    const [, resident = '0'] = /VmHWM:\s+(\d+)/.exec(status) ?? []
    memory[who] = Math.max(memory[who] ?? 0, Number(resident) * 1_024)
  }
}

function readOr(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}
