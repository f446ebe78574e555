import type { AgentLoop } from '../../agent/loop.ts'
import type { Printer } from '../../terminal/conversation/print.ts'
import type { ConversationView } from '../../terminal/conversation/view.ts'
import { describeEnd } from './describe-end.ts'
import { type promptForQuestions, saysAll } from './questions.ts'
import type { showEvents } from './show-events.ts'

export interface LastScreenOptions {
  readonly view: ConversationView
  readonly print: Printer
  readonly events: ReturnType<typeof showEvents>
  readonly questions: Pick<ReturnType<typeof promptForQuestions>, 'onShown'>
}

/** Shows the last turns of a conversation as they were on the screen. */
export async function showLastScreen(
  loop: Pick<AgentLoop, 'lastScreen' | 'messages'>,
  { view, print, events, questions }: LastScreenOptions,
): Promise<void> {
  view.note(`Continuing the conversation (${loop.messages().length} messages).`)
  const told = new Set<string>()
  let reply = ''
  for (const shown of await loop.lastScreen()) {
    switch (shown.type) {
      case 'said':
        print.message(shown.text)
        break
      case 'reply':
        reply = shown.text
        view.say(reply)
        view.endReply()
        questions.onShown(reply)
        break
      case 'decided': {
        const { request } = shown
        const channel = request.outcome?.channel
        // Nobody saw what a rule decided.
        if (channel === 'rule') break
        const context = request.context === reply ? null : request.context
        print.decision({ ...request, context }, { here: channel === 'terminal' })
        if (saysAll(request)) told.add(idOf(shown))
        break
      }
      case 'result':
        if (!told.has(idOf(shown))) events.show(shown)
        break
      case 'planning':
        events.show(shown)
        break
      case 'ended': {
        const end = describeEnd(shown.how)
        if (end) view.note(end, 'yellow')
      }
    }
  }
}

/** Two agents may number their calls alike. */
function idOf({ path, call }: { path: readonly string[]; call: string }): string {
  return JSON.stringify([...path, call])
}
