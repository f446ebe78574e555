import { createInterface } from 'node:readline'
import { commandLine } from '../../approval/command-line.ts'
import { judgingOptions } from '../../approval/judging-options.ts'
import { classify, explain } from '../../guard/index.ts'
import { invalid } from '../../protocol/errors.ts'
import type { Verdict } from '../../protocol/verdict.ts'
import { harmlessLines } from '../../text/harmless.ts'
import type { Context } from '../context.ts'
import { exitCodes } from '../output/exit-codes.ts'
import { print } from '../output/print.ts'
import { printJson } from '../output/print-json.ts'
import { formatExplanation } from './format-explanation.ts'
import { inputLine } from './input-line.ts'

export interface JudgeOptions {
  readonly json?: boolean | undefined
  /** With each program that would start. */
  readonly explain?: boolean | undefined
  /** Look inside the scripts of the workspace that a command runs. */
  readonly look?: boolean | undefined
}

export async function judgeCommand(
  context: Context,
  words: readonly string[],
  { json, explain: isExplained, look }: JudgeOptions,
): Promise<number> {
  if (words.length === 0) throw invalid([{ path: 'command', message: 'is missing: write it after --' }])
  const command = commandLine(words)
  const { cwd, env } = context
  const classification = classifyHere({ cwd, env, look }, command)
  const verdict = verdictOf(classification)
  const told = isExplained ? { ...verdict, ...explain(classification) } : null
  if (json) await printJson(context.stdout, told ?? verdict)
  else {
    const more = told ? `\n${formatExplanation(told, context)}` : ''
    await print(context.stdout, `${formatVerdict(verdict, command)}${more}`)
  }
  return verdict.verdict === 'allow' ? exitCodes.fine : exitCodes.declined
}

/** Every line gets a verdict: a line that is not a command gets "ask". */
export async function judgeLines(context: Context, { look }: JudgeOptions): Promise<number> {
  const { cwd, env } = context
  let lines: string[] = []
  for await (const line of createInterface({ input: context.stdin, crlfDelay: Number.POSITIVE_INFINITY })) {
    if (line.trim() === '') continue
    lines.push(JSON.stringify(judgeLine({ cwd, env, look }, line)))
    if (lines.length < 256) continue
    await print(context.stdout, `${lines.join('\n')}\n`)
    lines = []
  }
  if (lines.length > 0) await print(context.stdout, `${lines.join('\n')}\n`)
  return exitCodes.fine
}

function judgeLine(context: Judging, line: string): Verdict {
  const parsed = inputLine.safeParse(readJson(line))
  if (parsed.success) return verdictOf(classifyHere(context, parsed.data.cmd, parsed.data.cwd))
  const message = 'the line is not {"cmd": "…"}'
  const reasons = [{ rule: 'shell/unreadable', message, span: [0, line.length] as const }]
  return { verdict: 'ask', severity: 'medium', reasons, safer: null }
}

function readJson(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return null
  }
}

type Judging = Pick<Context, 'cwd' | 'env'> & JudgeOptions

function classifyHere({ cwd: here, env, look }: Judging, command: string, cwd = here) {
  return classify(command, judgingOptions({ cwd, env }, { look: look ?? false }))
}

function verdictOf({ verdict, severity, reasons, safer, rewritten }: Verdict): Verdict {
  return { verdict, severity, reasons, safer, ...(rewritten ? { rewritten } : {}) }
}

function formatVerdict({ verdict, severity, reasons, safer }: Verdict, command: string): string {
  const lines = reasons.map(
    ({ rule, message, span }) => `  ${message}\n    ${command.slice(...span).replace(/\s+/g, ' ')}  (${rule})`,
  )
  const head = verdict === 'allow' ? 'allow' : `${verdict} (${severity})`
  return `${harmlessLines([head, ...lines, ...(safer ? [`  safer: ${safer}`] : [])].join('\n'))}\n`
}
