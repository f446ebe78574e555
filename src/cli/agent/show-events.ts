import type { AgentEvent } from '../../agent/events.ts'
import { costOf } from '../../agent/model/prices.ts'
import type { ConversationView } from '../../terminal/conversation/view.ts'
import { harmlessTitle } from '../../text/harmless.ts'
import { cut } from '../../text/width.ts'

const maxLines = 3

/** Shows the events of a conversation; a tool call folds to one line and the beginning of its output. */
export function showEvents(view: ConversationView) {
  let lastOutput = ''
  return { show, lastOutput: () => lastOutput }

  function show(event: AgentEvent): void {
    const who = event.path.length > 1 ? `${event.path.slice(1).map(harmlessTitle).join(' › ')}: ` : ''
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
        view.note(
          `The model does not answer (${harmlessTitle(event.why)}). Retrying in ${Math.ceil(event.inMs / 1_000)} s.`,
          'yellow',
        )
        return
      case 'call':
        view.begin(event.call, `${who}${event.tool} ${cut(harmlessTitle(event.title), 200)}`)
        return
      case 'output':
        view.progress(event.call, event.text)
        return
      case 'result': {
        lastOutput = event.output
        const lines = event.output
          .split('\n')
          .filter(one => one.trim() !== '')
          .map(harmlessTitle)
        const more = lines.length - maxLines
        const folded = more > 0 ? [...lines.slice(0, maxLines), `… ${more} more lines (/show)`] : lines
        view.end(event.call, { lines: folded, failed: event.failed })
        return
      }
      case 'context':
        view.note(
          `The context is ${Math.round((event.tokens / event.limit) * 100)} % full; at 100 % Beckon summarises it.`,
          'yellow',
        )
        return
      case 'compacting':
        view.work('summarising')
        return
      case 'compacted':
        view.note(
          `Summarised the earlier conversation; the context is now about ${event.tokens.toLocaleString('en')} tokens.`,
        )
        return
      case 'asked':
      case 'settled':
      case 'askedBack':
        return
    }
  }
}

/** `1,234 in, 56 out, $0.01`. */
export function describeUsage(
  { model, usage }: { model: string; usage: Parameters<typeof costOf>[1] },
  env: NodeJS.ProcessEnv,
): string {
  const input = usage.input + usage.cacheRead + usage.cacheWrite
  const cost = costOf(model, usage, env)
  const tokens = `${input.toLocaleString('en')} tokens in, ${usage.output.toLocaleString('en')} out`
  return cost === null ? tokens : `${tokens}, $${cost.toFixed(cost < 0.1 ? 4 : 2)}`
}
