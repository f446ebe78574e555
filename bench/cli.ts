import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { median, progress, type Row } from './report.ts'

const rounds = 25
const warmUps = 2

interface Start {
  name: string
  args: (n: number) => string[]
  /** What it reads from stdin. */
  input?: string
  exitCode?: number
  /** The goal: at most this many times the floor. */
  atMost?: number
}

const beckon = join(import.meta.dirname, '../bin/beckon.js')
const askUserQuestion = join(import.meta.dirname, '../bin/ask-user-question.js')

const call = { session_id: 's1', cwd: import.meta.dirname, tool_input: { command: 'ls' } }
const codexCall = JSON.stringify({ ...call, hook_event_name: 'PreToolUse', tool_name: 'Bash', tool_use_id: 'call_1' })
const geminiCall = JSON.stringify({ ...call, hook_event_name: 'BeforeTool', tool_name: 'run_shell_command' })

const floor: Start = { name: 'node -e 0', args: () => ['-e', '0'] }
const starts: Start[] = [
  { name: 'AskUserQuestion --help', args: () => [askUserQuestion, '--help'], atMost: 2 },
  { name: 'AskUserQuestion, invalid JSON', args: () => [askUserQuestion, '{"questions"'], exitCode: 1, atMost: 2 },
  { name: 'AskUserQuestion, no JSON', args: () => [askUserQuestion], exitCode: 1 },
  { name: 'AskUserQuestion, validation failed', args: () => [askUserQuestion, '{"questions":[{}]}'], exitCode: 1 },
  { name: 'AskUserQuestion --async', args: n => [askUserQuestion, '--async', question(n)], atMost: 2.5 },
  { name: 'beckon --help', args: () => [beckon, '--help'], atMost: 1.5 },
  { name: 'beckon list', args: () => [beckon, 'list'], atMost: 2.8 },
  { name: 'beckon guard -- ls', args: () => [beckon, 'guard', '--', 'ls'], atMost: 2.5 },
  { name: 'beckon hook codex, nothing to ask', args: () => [beckon, 'hook', 'codex'], input: codexCall, atMost: 4.5 },
  {
    name: 'beckon hook gemini, nothing to ask',
    args: () => [beckon, 'hook', 'gemini'],
    input: geminiCall,
    atMost: 4.5,
  },
  { name: 'beckon ask --async', args: n => [beckon, 'ask', `Which database, ${n}?`, '--async'], atMost: 2.8 },
]

/** Measures each command from start to exit. The commands alternate, so a busy machine slows all of them down. */
export async function benchCli(): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'beckon-bench-'))
  const env = { ...process.env, BECKON_HOME: join(folder, 'home'), XDG_CACHE_HOME: join(folder, 'cache') }
  const times = new Map([floor, ...starts].map(start => [start, [] as number[]]))
  try {
    for (let round = 1 - warmUps; round <= rounds; round += 1) {
      if (round % 5 === 0) progress(`start-up: round ${round} of ${rounds}`)
      for (const [start, found] of times) {
        const time = timeOf(start, round, env)
        if (round > 0) found.push(time)
      }
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
  const bare = median(times.get(floor) ?? [])
  const group = 'from start to end'
  return [
    { group, name: floor.name, value: bare, unit: 'ms' },
    ...starts.map((start): Row => {
      const goal = start.atMost === undefined ? {} : { goal: { of: 'ratio', atMost: start.atMost } as const }
      return { group, name: start.name, value: median(times.get(start) ?? []), unit: 'ms', floor: bare, ...goal }
    }),
  ]
}

function timeOf({ name, args, input = '', exitCode = 0 }: Start, round: number, env: NodeJS.ProcessEnv): number {
  const began = performance.now()
  const { status, stderr } = spawnSync(process.execPath, args(round), { env, input })
  const time = performance.now() - began
  if (status !== exitCode) throw new Error(`${name} ended with ${status}: ${stderr}`)
  return time
}

function question(n: number): string {
  const options = ['SQLite', 'PostgreSQL'].map(label => ({ label, description: `about ${label}` }))
  return JSON.stringify({
    questions: [{ question: `Which database, ${n}?`, header: 'Database', options, multiSelect: false }],
  })
}
