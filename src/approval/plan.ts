import { accessSync, constants } from 'node:fs'
import { homedir } from 'node:os'
import { delimiter, join } from 'node:path'
import type { Context } from '../cli/context.ts'
import { alwaysFor, classify, type Decision, decide, type OwnRule, type Segment } from '../guard/index.ts'
import type { AskInput } from '../protocol/ask.ts'
import type { Rule } from '../protocol/rule.ts'
import { type Binding, bind } from './digest.ts'
import { commandLine, spelled, workspaceOf } from './workspace.ts'

type ApprovalAction = Extract<AskInput, { kind: 'approval' }>['action']

/** What would be run, what the guard says to it, and what a yes to it would be bound to. */
export interface Plan extends Binding {
  argv: string[]
  command: string
  decision: Decision<OwnRule | Rule>
  action: ApprovalAction
}

/** One word is a command line for a shell; several are a program and its arguments. */
export function planFor(
  context: Context,
  words: readonly string[],
  rules: readonly (OwnRule | Rule)[],
  cwd = context.cwd,
): Plan {
  const command = commandLine(words)
  const place = { cwd, workspace: workspaceOf(cwd), home: context.env.HOME ?? homedir(), env: context.env }
  const binding = bind(words, cwd, classify(command, place).segments)
  const decision = decide(command, { ...place, digest: binding.digest }, rules)
  const { severity, reasons, safer, segments } = decision
  const action: ApprovalAction = {
    command,
    cwd,
    digest: binding.digest,
    severity,
    reasons: reasons.slice(0, 50).map(({ rule, message, span: [from, to] }) => ({ rule, message, span: [from, to] })),
    safer,
    starts: startsOf(segments, command),
    files: binding.files,
    always: alwaysFor(command, decision, place.workspace),
  }
  return {
    ...binding,
    argv: words.length === 1 ? [shellOf(context), '-c', command] : [...words],
    command,
    decision,
    action,
  }
}

/** The very words that reach each program, where they are not simply what is written. */
function startsOf(segments: readonly Segment[], command: string): string[] {
  const starts = [...new Set(segments.map(({ argv }) => spelled(argv)))]
  return starts.length === 1 && starts[0] === command ? [] : starts.slice(0, 50)
}

/** The guard reads what is written as bash would; so bash runs it, where there is one. */
function shellOf({ env }: Context): string {
  for (const folder of (env.PATH ?? '').split(delimiter)) {
    try {
      accessSync(join(folder, 'bash'), constants.X_OK)
      return 'bash'
    } catch {}
  }
  return 'sh'
}
