import { readFileSync } from 'node:fs'
import { estimateTokens } from '../../agent/context/tokens.ts'
import type { AgentEvent } from '../../agent/events.ts'
import { costOf } from '../../agent/model/prices.ts'
import type { Request } from '../../protocol/request.ts'
import type { ConversationView } from '../../terminal/conversation/view.ts'
import { harmless, harmlessTitle } from '../../text/harmless.ts'
import { cut } from '../../text/width.ts'
import { describeImages } from './describe-images.ts'
import { describeInstructions } from './describe-instructions.ts'
import { describeServer } from './describe-server.ts'
import { noticesOf } from './notices.ts'

/** What came of a call: its output, and what changed in a file. */
interface ShownOutput {
  readonly output: string
  readonly diff?: string | undefined
}

interface ShowOptions {
  /** Whether the transcript has the outcome of a request, so that the call that asked need not say it again. */
  isTold(request: Request): boolean
  /** How the person sees the rest of a folded output, if they can. */
  howToOpen?(lines: number): string
}

/** Shows the events of a conversation; a tool call folds to one line and the beginning of its output. */
export function showEvents(view: ConversationView, { isTold, howToOpen }: ShowOptions) {
  let last: ShownOutput | null = null
  const told = new Set<string>()
  // What the provider counted in this turn, and an estimate of the reply that is arriving.
  let tokens = { counted: 0, estimated: 0 }
  return { show, showResult, startTurn, last: () => last }

  /** Returns the number of tokens that the model has written in this turn. */
  function startTurn(): () => number {
    tokens = { counted: 0, estimated: 0 }
    return () => tokens.counted + tokens.estimated
  }

  function titleOf(who: string, { tool, title }: { tool: string; title: string }): string {
    return `${who}${harmlessTitle(tool)} ${cut(harmlessTitle(title), 200)}`.trimEnd()
  }

  function show(event: AgentEvent): void {
    const who = event.path.length > 1 ? `${event.path.slice(1).map(harmlessTitle).join(' › ')}: ` : ''
    count(event)
    switch (event.type) {
      case 'text':
        // A sub-agent speaks to its parent, not to the person.
        if (who === '') view.say(event.text)
        return
      case 'reply':
        if (who === '') view.endReply()
        return
      case 'retry':
        view.discardReply()
        view.note(noticesOf(event).join('\n'), 'yellow')
        return
      case 'call':
        view.begin(event.call, titleOf(who, event))
        return
      case 'output':
        view.progress(event.call, event.text)
        return
      case 'result':
        if (told.delete(event.call)) view.end(event.call, null)
        else
          showResult(event.call, titleOf(who, event), {
            output: wholeOutput(event),
            failed: event.failed,
            diff: event.diff,
          })
        return
      case 'context':
        view.note(noticesOf(event).join('\n'), 'yellow')
        return
      case 'server':
        view.note(describeServer(event), event.status === 'failed' ? 'yellow' : 'dim')
        return
      case 'images':
        for (const one of describeImages(event.images)) view.note(one)
        return
      case 'planning':
        view.note(event.on ? planModeOn : 'Plan mode is over: the agent may change things.', 'yellow')
        return
      case 'instructions':
        for (const one of describeInstructions(event)) view.note(one)
        return
      case 'compacting':
        view.work('summarising')
        return
      case 'compacted':
        view.work('thinking')
        view.note(noticesOf(event).join('\n'))
        return
      case 'rewound':
        view.note(describeRewind(event))
        return
      case 'settled':
        if (isTold(event.request)) told.add(event.call)
        return
      case 'asked':
      case 'askedBack':
        return
    }
  }

  /** Shows its change, or the beginning of its output. */
  function showResult(call: string, title: string, result: ShownOutput & { failed: boolean }): void {
    last = result
    const lines = result.output
      .split('\n')
      .filter(one => one.trim() !== '')
      .map(asLine)
    view.end(call, { title, lines, failed: result.failed, diff: result.diff, countMore })
  }

  function countMore(lines: number): string {
    const counted = `… ${lines.toLocaleString('en')} more ${lines === 1 ? 'line' : 'lines'}`
    return howToOpen === undefined ? counted : `${counted} (${howToOpen(lines)})`
  }

  function count(event: AgentEvent): void {
    if (event.type === 'text') tokens.estimated += estimateTokens(event.text)
    if (event.type === 'retry') tokens.estimated = 0
    if (event.type !== 'reply') return
    tokens = { counted: tokens.counted + (event.usage?.output || tokens.estimated), estimated: 0 }
  }
}

function describeRewind({ restored, removed, before }: Extract<AgentEvent, { type: 'rewound' }>): string {
  const files = restored.length + removed.length
  const what = files === 0 ? 'No file had to change.' : `${files} ${files === 1 ? 'file was' : 'files were'} restored.`
  const undo = before === null ? '' : `, or the files alone with: beckon restore ${before}`
  return `Rewound. ${what} Bring back what was cut off with /rewind undo${undo}`
}

/** With its indentation. Of a line that was written over itself, such as a progress bar, what was last. */
function asLine(text: string): string {
  const last = text.trimEnd().split('\r').at(-1) ?? ''
  return harmless(last.replaceAll('\t', '  '))
}

/** The file has what was too long for the model. */
function wholeOutput({ output, whole }: { output: string; whole: string | null }): string {
  if (whole === null) return output
  try {
    return readFileSync(whole, 'utf8')
  } catch {
    return output
  }
}

const planModeOn =
  'Plan mode: the agent reads, searches and asks. It changes nothing and runs no command before you approve its plan.'

/** `1,234 tokens in, 56 out, $0.01`; with `~` before each number where a part of it is estimated. */
export function describeUsage(
  {
    model,
    models,
    usage,
    isEstimated,
  }: { model: string; models: readonly string[]; usage: Parameters<typeof costOf>[1]; isEstimated: boolean },
  env: NodeJS.ProcessEnv,
): string {
  const input = usage.input + usage.cacheRead + usage.cacheWrite
  // One total cannot be priced for several models.
  const cost = models.some(one => one !== model) ? null : costOf(model, usage, env)
  const about = isEstimated ? '~' : ''
  const tokens = `${about}${input.toLocaleString('en')} tokens in, ${about}${usage.output.toLocaleString('en')} out`
  if (cost === null) return `${tokens}, cost unknown`
  return `${tokens}, ${about}$${cost.dollars.toFixed(cost.dollars < 0.1 ? 4 : 2)}`
}
