import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { judgeAction, judgeAsk } from '../../src/approval/judge-action.ts'
import { classify } from '../../src/guard/index.ts'
import { type AskInput, BeckonError } from '../../src/protocol/index.ts'
import { commandRules } from '../../src/rules/command-rules.ts'
import { startModelServer } from '../agent/model-server.ts'
import { createSandbox, type Sandbox } from '../cli/sandbox.ts'
import { bash } from '../hooks/claude-host.ts'
import { connectStdio } from '../mcp/mcp-client.ts'

// The table in docs/guard.md says who calls the guard, and what counts there. Every cell is tried.

type Verdict = 'allow' | 'ask' | 'deny'

interface Judged {
  verdict: Verdict
  /** The rules of the guard that asked, as far as the caller tells. */
  said: string
}

type Caller = (sandbox: Sandbox, command: string, asStrictly?: boolean) => Promise<Judged>

const callers: Record<string, Caller> = {
  '`beckon guard`': async ({ run }, command) => {
    const { stdout } = await run(['guard', '--json', '--', command])
    return { verdict: JSON.parse(stdout).verdict, said: stdout }
  },
  '`beckon approve`': async ({ run, hub }, command) => {
    const { code, stdout } = await run(['approve', '--', command], { env: { BECKON_WAIT: '0s' } })
    if (code !== 75) return { verdict: code === 10 ? 'deny' : 'allow', said: '' }
    return { verdict: 'ask', said: JSON.stringify(await hub.get(JSON.parse(stdout).id)) }
  },
  '`beckon hook`: Claude Code, Codex, Gemini CLI, opencode': async ({ start, cwd, hub }, command) => {
    const event = { hook_event_name: 'PreToolUse', session_id: 's', transcript_path: join(cwd, 'none'), cwd }
    const input = JSON.stringify({ ...event, ...bash(command, 't') })
    const { stdout } = await start(['hook', 'claude', '--wait', '100ms'], { input }).result
    if (stdout === '') return { verdict: 'allow', said: '' }
    const { permissionDecision } = JSON.parse(stdout).hookSpecificOutput
    const said = JSON.stringify(await hub.list())
    return { verdict: permissionDecision === 'defer' ? 'ask' : permissionDecision, said }
  },
  '`beckon mcp`: `approve` and the permission tool': async (sandbox, command) => {
    const { call } = await connectStdio(sandbox, { args: ['--wait', '100ms'] })
    const result = await call('approve', { command })
    return { verdict: result.verdict ?? 'ask', said: JSON.stringify([result, await sandbox.hub.list()]) }
  },
  'the built-in agent': async ({ run, hub, atEnd }, command) => {
    const server = await startModelServer((_, count) =>
      count === 1 ? { calls: [{ name: 'Bash', input: { command } }] } : { text: 'Done.' },
    )
    atEnd(() => server.close())
    const env = { ...server.env, BECKON_WAIT: '0s' }
    const { code } = await run(['agent', 'run', '--model', 'anthropic/scripted', 'go'], { env })
    const refused = JSON.stringify(server.log.at(-1)?.items ?? []).includes('is refused')
    return { verdict: code === 75 ? 'ask' : refused ? 'deny' : 'allow', said: JSON.stringify(await hub.list()) }
  },
  'the hub, about an ask from this machine': async ({ hub, cwd }, command, asStrictly) => {
    const reasons = asStrictly ? strictClaim : []
    const input = { kind: 'approval', action: { command, cwd, reasons } } as unknown as AskInput
    const raised = await hub.raise(input).catch(refusal)
    if (raised === 'refused' || raised.kind !== 'approval') return { verdict: 'deny', said: '' }
    const said = JSON.stringify(raised.action.reasons)
    const [rule] = commandRules(await hub.rules.list()).filter(({ verdict }) => verdict === 'allow')
    if (rule) await hub.allowByRule(raised.id, rule.id)
    return { verdict: rule || said === '[]' ? 'allow' : 'ask', said }
  },
  'the hub, about an ask from another machine': async ({ hub, cwd }, command, asStrictly) => {
    const there = { env: null, rules: commandRules(await hub.rules.list()) }
    const { verdict, reasons, allowedBy } = judgeAction({ command, cwd }, there)
    if (!asStrictly) return { verdict: allowedBy ? 'allow' : verdict, said: JSON.stringify(reasons) }
    const asked = judgeAsk({ command, cwd, reasons: strictClaim }, there)
    return { verdict: 'ask', said: JSON.stringify(asked.reasons) }
  },
  '`classify` in `src/guard/`': async ({ cwd }, command) => {
    const { verdict, reasons } = classify(command, { cwd })
    return { verdict, said: JSON.stringify(reasons) }
  },
}

const strictClaim = [{ rule: 'fs/delete-strict', message: 'says so', span: [0, 1] as [number, number] }]

describe('the table of who calls the guard', () => {
  const table = readTable()

  it('names every caller', () => {
    expect(Object.keys(table)).toEqual(Object.keys(callers))
  })

  it.each(Object.entries(callers))('is true of %s', async (name, judge) => {
    const sandbox = await createSandbox()
    const found = {
      'strict by default': await isStrict(sandbox, judge),
      'asks git': await asksGit(sandbox, judge),
      'looks inside': await looksInside(sandbox, judge),
      'rules that ask or deny': await keepsToStrictRules(sandbox, judge),
      'rules that allow': await keepsToAllowances(sandbox, judge),
    }
    expect(found).toEqual(table[name])
  })
})

async function isStrict(sandbox: Sandbox, judge: Caller): Promise<string> {
  const { said } = await judge(sandbox, 'rm -rf node_modules')
  if (said.includes('fs/delete-strict')) return 'yes'
  const claimed = await judge(sandbox, 'rm -rf node_modules', true)
  return claimed.said.includes('fs/delete-strict') ? 'as the asker' : 'no'
}

async function asksGit(sandbox: Sandbox, judge: Caller): Promise<string> {
  const { said } = await judge(sandbox, 'rm -rf thesis')
  if (said.includes('fs/delete-unversioned')) return 'yes'
  if (judge !== callers['`classify` in `src/guard/`']) return 'no'
  return classify('rm -rf thesis', { gitState: () => 'no-repository' }).verdict === 'ask' ? 'if it is told' : 'no'
}

async function looksInside(sandbox: Sandbox, judge: Caller): Promise<string> {
  writeFileSync(join(sandbox.cwd, 'x.sh'), 'git push --force\n')
  const { said } = await judge(sandbox, 'bash x.sh')
  if (said.includes('git/push-force')) return 'yes'
  if (judge === callers['`beckon guard`']) {
    const { stdout } = await sandbox.run(['guard', '--look', '--', 'bash x.sh'])
    return stdout.includes('git/push-force') ? 'with `--look`' : 'no'
  }
  if (judge !== callers['`classify` in `src/guard/`']) return 'no'
  const readFile = () => ({ text: 'git push --force' })
  return classify('bash x.sh', { readFile }).verdict === 'ask' ? 'if it is given a reader' : 'no'
}

/** By the project's file, by a rule of the hub, or only about what is asked about anyway. */
async function keepsToStrictRules(sandbox: Sandbox, judge: Caller): Promise<string> {
  const { cwd, run } = sandbox
  const denies = async (command: string) => (await judge(sandbox, command)).verdict === 'deny'
  const folder = join(cwd, '.beckon')
  const rules = ['touch', 'git'].map(program => ({ verdict: 'deny', command: program, reason: 'not here' }))
  mkdirSync(folder)
  writeFileSync(join(folder, 'rules.json'), JSON.stringify({ rules }))
  const byProject = await denies('touch x')
  const whereAsked = byProject || (await denies('git push --force'))
  rmSync(folder, { recursive: true })
  if (byProject) return 'yes'
  if (whereAsked && (await judge(sandbox, 'git push --force')).verdict !== 'deny') return 'where the guard asks'
  const { stdout } = await run(['rules', 'add', 'deny', '--', 'touch'])
  const byHub = await denies('touch x')
  await run(['rules', 'remove', stdout.trim()])
  return byHub ? 'its own' : 'no'
}

async function keepsToAllowances(sandbox: Sandbox, judge: Caller): Promise<string> {
  await sandbox.run(['rules', 'add', 'allow', '--', 'git', 'stash', 'drop'])
  return (await judge(sandbox, 'git stash drop')).verdict === 'allow' ? 'yes' : 'no'
}

function refusal(error: unknown): 'refused' {
  if (error instanceof BeckonError && error.code === 'invalid') return 'refused'
  throw error
}

/** Cells by caller and column. */
function readTable(): Record<string, Record<string, string>> {
  const text = readFileSync(join(import.meta.dirname, '../../docs/guard.md'), 'utf8')
  const [, section = ''] = /## Who calls it\n([\s\S]*?)\n## /.exec(text) ?? []
  const [head = [], , ...rows] = section
    .split('\n')
    .filter(line => line.startsWith('|'))
    .map(line =>
      line
        .split('|')
        .slice(1, -1)
        .map(cell => cell.trim()),
    )
  const columns = head.slice(1)
  return Object.fromEntries(
    rows.map(([name = '', ...cells]) => [
      name,
      Object.fromEntries(columns.map((column, i) => [column, cells[i] ?? ''])),
    ]),
  )
}
