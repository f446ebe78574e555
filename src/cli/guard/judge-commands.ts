import { homedir } from 'node:os'
import { createInterface } from 'node:readline'
import * as z from 'zod'
import { commandLine, workspaceOf } from '../../approval/workspace.ts'
import { classify, type Verdict } from '../../guard/index.ts'
import { invalid } from '../../protocol/errors.ts'
import { harmlessLines } from '../../text/harmless.ts'
import type { Context } from '../context.ts'
import { exitCodes } from '../output/exit-codes.ts'
import { print } from '../output/print.ts'
import { printJson } from '../output/print-json.ts'

export async function judge(context: Context, words: readonly string[], json: boolean): Promise<number> {
  if (words.length === 0) throw invalid([{ path: 'command', message: 'is missing: write it after --' }])
  const command = commandLine(words)
  const verdict = classifyHere(context, command, context.cwd)
  await (json ? printJson(context.stdout, document(verdict)) : print(context.stdout, text(verdict, command)))
  return verdict.verdict === 'allow' ? exitCodes.fine : exitCodes.declined
}

/** A line that is no command gets a verdict, too: what could not be read is asked about. */
export async function judgeLines(context: Context): Promise<number> {
  let lines: string[] = []
  for await (const line of createInterface({ input: context.stdin, crlfDelay: Number.POSITIVE_INFINITY })) {
    if (line.trim() === '') continue
    lines.push(JSON.stringify(document(judgeLine(context, line))))
    if (lines.length < 256) continue
    await print(context.stdout, `${lines.join('\n')}\n`)
    lines = []
  }
  if (lines.length > 0) await print(context.stdout, `${lines.join('\n')}\n`)
  return exitCodes.fine
}

const inputLine = z.object({ cmd: z.string(), cwd: z.string().optional() })

function judgeLine(context: Context, line: string): Verdict {
  const parsed = inputLine.safeParse(readJson(line))
  if (parsed.success) return classifyHere(context, parsed.data.cmd, parsed.data.cwd ?? context.cwd)
  const message = 'the line is not {"cmd": "…"}'
  const reasons = [{ rule: 'shell/unreadable', message, span: [0, line.length] as const }]
  return { verdict: 'ask', severity: 'medium', reasons, segments: [], safer: null }
}

function readJson(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return null
  }
}

function classifyHere(context: Context, command: string, cwd: string): Verdict {
  const home = context.env.HOME ?? homedir()
  return classify(command, { cwd, workspace: workspaceOf(cwd), home, env: context.env })
}

function document({ verdict, severity, reasons, safer }: Verdict) {
  return { verdict, severity, reasons, safer }
}

function text({ verdict, severity, reasons, safer }: Verdict, command: string): string {
  const lines = reasons.map(
    ({ rule, message, span }) => `  ${message}\n    ${command.slice(...span).replace(/\s+/g, ' ')}  (${rule})`,
  )
  const head = verdict === 'allow' ? 'allow' : `${verdict} (${severity})`
  return `${harmlessLines([head, ...lines, ...(safer ? [`  safer: ${safer}`] : [])].join('\n'))}\n`
}
