import type { HubApi } from '../../protocol/hub.ts'
import type { Request } from '../../protocol/request.ts'
import { ageOf } from '../../text/age.ts'
import { line } from '../../text/styled.ts'
import { wrap } from '../../text/wrap.ts'
import { paint } from '../paint.ts'
import { promptPlain } from '../plain/prompt.ts'
import { type Lines, openLines } from '../plain/read-lines.ts'
import { columnsOf, type Terminal } from '../terminal.ts'
import { ringForNew } from './desktop-notification.ts'
import { listAll } from './follow-pending.ts'
import { type Item, inOrder, itemOf, kindWords } from './item.ts'
import type { InboxOptions } from './options.ts'
import { whileItWaits } from './prompt-until-settled.ts'

const question = 'Enter number, r to look again, q to leave: '

/** The list in lines: for screen readers, dumb terminals, and pipes that somebody types into. */
export async function inboxPlain(terminal: Terminal, hub: HubApi, options: InboxOptions): Promise<void> {
  const { signal, describe, quiet, now } = options
  const leaving = new AbortController()
  let lines = await openLines(terminal, signal)
  if (terminal.input.isTTY && !quiet) ringForNew(terminal, hub, leaving.signal)
  try {
    for (;;) {
      const items = inOrder((await listAll(hub)).map(request => itemOf(request, null)))
      say(listing(items, columnsOf(terminal), now()))
      const choice = await choose(items)
      if (choice === 'leave') return
      if (choice !== 'again') await open(choice)
    }
  } finally {
    leaving.abort()
    await lines.close()
  }

  async function choose(items: readonly Item[]): Promise<Request | 'again' | 'leave'> {
    for (;;) {
      const entered = (await lines.next(question))?.text.trim().toLowerCase()
      if (entered === undefined || ['q', 'quit'].includes(entered)) return 'leave'
      if (entered === 'r') return 'again'
      const chosen = /^\d+$/.test(entered) ? items[Number(entered) - 1] : undefined
      if (chosen) return chosen.request
      say(items.length > 0 ? `Enter a number from 1 to ${items.length}, r or q.` : 'Nothing waits: enter r or q.')
    }
  }

  async function open(request: Request): Promise<void> {
    const end = await whileItWaits(hub, request, signal, closing =>
      promptPlain(terminal, hub, request, closing, borrow(lines, closing)),
    )
    if (typeof end === 'string') return say(`\n${request.id} stays open.`)
    const isElsewhere = 'elsewhere' in end
    say(`\n${describe(isElsewhere ? end.elsewhere : end.request)}`)
    if (isElsewhere && terminal.input.isTTY) await forgetWhatIsTyped()
  }

  /** It was meant for a request that is gone, and may be half of a secret. */
  async function forgetWhatIsTyped() {
    await lines.close()
    lines = await openLines(terminal, signal)
  }

  function say(text: string) {
    terminal.output.write(`${text}\n`)
  }
}

/** A line for each, in words, so that it can be listened to. */
function listing(items: readonly Item[], columns: number, now: number): string {
  if (items.length === 0) return '\nNothing waits for you.'
  const margin = `${items.length}`.length + 3
  const rows = items.flatMap((item, i) =>
    wrap(line(`${`${i + 1}.`.padStart(margin - 1)} ${inWords(item, now)}`), columns, margin),
  )
  const count = items.length === 1 ? '1 request waits:' : `${items.length} requests wait:`
  return ['', count, ...rows.map(one => paint(one, false))].join('\n')
}

function inWords({ request, title, agent }: Item, now: number): string {
  const danger = request.kind === 'approval' ? `, danger ${request.action.severity}` : ''
  return `${kindWords[request.kind]}${danger}, ${ageOf(request.createdAt, now)}, ${agent}: ${title}`
}

/** The same lines for a prompt that may be told to close; what it did not read is there for whoever reads next. */
function borrow(lines: Lines, signal: AbortSignal): Lines {
  const closed = new Promise<null>(resolve => {
    if (signal.aborted) resolve(null)
    signal.addEventListener('abort', () => resolve(null), { once: true })
  })
  return { next: (prompt, options) => Promise.race([lines.next(prompt, options), closed]), async close() {} }
}
