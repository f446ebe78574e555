import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Entry, entrySchema } from '../../../src/agent/journal/entries.ts'
import { openHub } from '../../../src/open-hub.ts'
import type { HubApi } from '../../../src/protocol/index.ts'
import { createRandom, type Random } from '../../crash/random.ts'
import { startModelServer } from '../model-server.ts'
import { answerTo, conversation, effectsFile } from './script.ts'

export interface AgentCrashReport {
  kills: number
  conversations: number
  replies: number
  cutOff: number
  violations: string[]
}

const launcher = join(import.meta.dirname, '../../../bin/beckon.js')

/** Runs conversations of the real command, kills it at random moments and continues, until it was killed `kills` times. */
export async function crashAgent({ kills, seed }: { kills: number; seed: number }): Promise<AgentCrashReport> {
  const random = createRandom(seed)
  const total: AgentCrashReport = { kills: 0, conversations: 0, replies: 0, cutOff: 0, violations: [] }
  while (total.kills < kills && total.violations.length === 0) {
    const report = await oneConversation(Math.min(kills - total.kills, 3 + random.below(8)), random)
    total.kills += report.kills
    total.conversations += 1
    total.replies += report.replies
    total.cutOff += report.cutOff
    total.violations.push(...report.violations)
  }
  return total
}

async function oneConversation(kills: number, random: Random): Promise<AgentCrashReport> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'beckon-agent-crash-')))
  const cwd = mkdtempSync(join(root, 'work-'))
  const home = join(root, 'home')
  let onRequest = () => {}
  const server = await startModelServer((seen, count) => {
    onRequest()
    return conversation(seen, count)
  })
  const hub = await openHub({ env: { BECKON_HOME: home, BECKON_USER: 'person' }, caller: { directory: cwd } })
  const stop = new AbortController()
  const answering = answerEverything(hub, stop.signal, random)
  const env = { ...process.env, ...server.env, BECKON_HOME: home, BECKON_USER: 'agent' }
  let killed = 0
  try {
    for (;;) {
      const isKnown = hasUserText(home)
      const args = isKnown ? ['--continue'] : hasConversation(home) ? ['--continue', 'go'] : ['go']
      const options = ['--model', 'anthropic/scripted', '--max-turns', '1000']
      const child = spawn(process.execPath, [launcher, 'agent', 'run', ...options, ...args], {
        cwd,
        env,
        stdio: ['ignore', 'pipe', 'pipe'],
      })
      let stdout = ''
      child.stdout.on('data', chunk => (stdout += chunk))
      let stderr = ''
      child.stderr.on('data', chunk => (stderr += chunk))
      const ended = once(child, 'exit')
      if (killed < kills) {
        await Promise.race([waitForRandomMoment(random, resolve => (onRequest = resolve)), ended])
        if (child.exitCode === null && child.kill('SIGKILL')) killed += 1
      }
      const [code, signal] = await ended
      if (signal === 'SIGKILL') continue
      // An answer has woken the killed run in the meantime: that process goes on with the conversation.
      if (code === 1 && stderr.includes('open in another process')) {
        await sleep(100)
        continue
      }
      if (code !== 0 || !stdout.includes('All done.')) {
        return {
          kills: killed,
          conversations: 1,
          replies: 0,
          cutOff: 0,
          violations: [`exit ${code}: ${stdout}${stderr}`],
        }
      }
      const { violations, cutOff } = await findViolations(hub, home, cwd)
      return {
        kills: killed,
        conversations: 1,
        replies: server.log.length,
        cutOff,
        violations: [...server.violations, ...violations],
      }
    }
  } finally {
    stop.abort()
    await answering
    await hub.close()
    await server.close()
    rmSync(root, { recursive: true, force: true })
  }
}

/** Waits for a random moment: during startup, or shortly after one of the next requests to the model. */
async function waitForRandomMoment(random: Random, onRequest: (resolve: () => void) => void): Promise<void> {
  if (random.chance(0.15)) {
    await sleep(random.below(600))
    return
  }
  let left = 1 + random.below(12)
  await new Promise<void>(resolve => {
    onRequest(() => {
      left -= 1
      if (left === 0) resolve()
    })
  })
  await sleep(random.below(60))
}

async function answerEverything(hub: HubApi, signal: AbortSignal, random: Random): Promise<void> {
  while (!signal.aborted) {
    const { requests } = await hub.list()
    const request = requests[random.below(Math.max(1, requests.length))]
    if (request?.kind === 'question')
      await hub.answer(request.id, { value: answerTo(request.questions[0]?.question ?? '') })
    await sleep(random.below(30))
  }
}

/** Checks what must hold at the end, no matter when the process was killed. */
async function findViolations(
  hub: HubApi,
  home: string,
  cwd: string,
): Promise<{ violations: string[]; cutOff: number }> {
  const violations: string[] = []
  const entries = journalsIn(join(home, 'agent')).flatMap(read)
  const calls = new Map<string, { name: string; input: { command?: string; question?: string } }>()
  for (const entry of entries) {
    if (entry.type !== 'assistant') continue
    for (const part of entry.content) {
      if (part.type === 'tool-call')
        calls.set(String(part.toolCallId), { name: String(part.toolName), input: part.input as never })
    }
  }
  const results = entries.filter(entry => entry.type === 'result')
  const effects = existsSync(join(cwd, effectsFile))
    ? readFileSync(join(cwd, effectsFile), 'utf8').trim().split('\n')
    : []
  let cutOff = 0
  for (const [id, { name, input }] of calls) {
    const own = results.filter(({ call }) => call === id)
    if (own.length !== 1) violations.push(`${name} ${id} has ${own.length} results`)
    const output = own[0]?.output ?? ''
    if (name === 'AskUserQuestion' && output !== `User answered: ${answerTo(input.question ?? '')}`) {
      violations.push(`the answer to ${input.question} is: ${output}`)
    }
    if (name !== 'Bash') continue
    const [, effect = ''] = /echo (\S+)/.exec(input.command ?? '') ?? []
    const times = effects.filter(one => one === effect).length
    const wasReported = output.includes('was stopped while this ran')
    if (wasReported) cutOff += 1
    if (times > 1 || (times === 0 && !wasReported))
      violations.push(`${effect} happened ${times} times; the model was told: ${output}`)
  }
  const { requests } = await hub.list({ status: 'all', limit: 1_000 })
  const asked = requests.flatMap(request => (request.kind === 'question' ? (request.questions[0]?.question ?? '') : []))
  if (new Set(asked).size !== asked.length) violations.push('a question was asked twice')
  for (const { id, status, deliveredAt } of requests) {
    if (status !== 'answered' || deliveredAt === null) violations.push(`${id} is ${status}, delivered: ${deliveredAt}`)
  }
  return { violations, cutOff }
}

function journalsIn(folder: string): string[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter(name => name.endsWith('journal.jsonl'))
    .map(name => join(folder, name))
}

function hasConversation(home: string): boolean {
  return journalsIn(join(home, 'agent')).some(file => readFileSync(file, 'utf8').includes('\n'))
}

function hasUserText(home: string): boolean {
  return journalsIn(join(home, 'agent')).some(file => read(file).some(({ type }) => type === 'user'))
}

function read(file: string): Entry[] {
  const lines = readFileSync(file, 'utf8').split('\n').slice(0, -1)
  return lines.map(line => entrySchema.parse(JSON.parse(line)))
}
