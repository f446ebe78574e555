import type { Decision } from '../../form/answer-form.ts'
import type { HubApi } from '../../protocol/hub.ts'
import type { Request } from '../../protocol/request.ts'
import { ageOf } from '../../text/age.ts'
import { harmlessTitle } from '../../text/harmless.ts'
import { line } from '../../text/styled.ts'
import { cut } from '../../text/width.ts'
import { wrap } from '../../text/wrap.ts'
import { answerAgain, loadLastAnswer } from '../last-answer.ts'
import { paint } from '../paint.ts'
import { promptPlain } from '../plain/prompt.ts'
import { type Lines, openLines } from '../plain/read-lines.ts'
import { columnsOf, type Terminal } from '../terminal.ts'
import { notify } from './desktop-notification.ts'
import { narrowGroups } from './filter.ts'
import { followPending, listAll, listSnoozed } from './follow-pending.ts'
import { type Group, groupItems } from './group.ts'
import { requestsOf } from './inbox.ts'
import { hasReply, type Item, isSnoozed, itemOf, kindWords, reminderOf } from './item.ts'
import type { InboxOptions } from './options.ts'
import { type PlainCommand, plainHelp, readPlainCommand } from './plain-command.ts'
import { promptUntilSettled } from './prompt-until-settled.ts'
import type { Change } from './request-list.ts'
import { orRefusal, settleEach, snoozeEach } from './settle-each.ts'

const question = 'Enter number, r to reload, q to quit: '
const questionBesideHidden = 'Enter number, r to reload, z to show the others, q to quit: '

/** The inbox in plain lines, for screen readers, dumb terminals and pipes. */
export async function inboxPlain(terminal: Terminal, hub: HubApi, options: InboxOptions): Promise<void> {
  const { signal, describe, quiet, now } = options
  const leaving = new AbortController()
  let lines = await openLines(terminal, signal)
  let opened: string | null = null
  let atStart = true
  let showsSnoozed = false
  let filter = ''
  let listed: ReadonlySet<string> | null = null
  // The list reports errors of its own.
  followPending(hub, { signal: leaving.signal, onChange, onError() {} })
  try {
    for (;;) {
      const snoozed = await listSnoozed(hub)
      const all = (await listAll(hub)).map(request => itemOf(request, null, snoozed.get(request.id) ?? null))
      const waiting = all.filter(item => isSnoozed(item, now()) === showsSnoozed)
      const groups = narrowGroups(groupItems(waiting), filter)
      const items = groups.flatMap(({ items }) => items)
      const before = listed
      const isNew = ({ request }: Item) => before !== null && !before.has(request.id)
      listed = new Set(all.map(({ request }) => request.id))
      const counts = {
        showsSnoozed,
        filter,
        filtered: waiting.length - items.length,
        others: all.length - waiting.length,
      }
      say(listing(groups, columnsOf(terminal), now(), isNew, counts))
      if ((await choose(items, all.length > waiting.length)) === 'leave') return
    }
  } finally {
    leaving.abort()
    await lines.close()
  }

  function onChange({ arrived, reminded = [], changed = [] }: Change) {
    for (const item of changed)
      if (item.request.id !== opened && hasReply(item)) lines.interject(`${item.agent} replied: ${item.title}`)
    // The open request prints its own reminders.
    for (const item of reminded) if (item.request.id !== opened) lines.interject(reminderOf(item, now()))
    for (const { agent, title } of atStart || !terminal.input.isTTY ? [] : arrived)
      lines.interject(`New: ${agent}: ${title} (r lists it)`)
    const notifies = !atStart && terminal.input.isTTY && !quiet
    for (const item of notifies ? [...arrived, ...reminded] : []) notify(terminal, item)
    atStart = false
  }

  /** Until something is done after which the list is another one. */
  async function choose(items: readonly Item[], hidesSome: boolean): Promise<'again' | 'leave'> {
    for (;;) {
      const entered = await lines.next(hidesSome ? questionBesideHidden : question)
      if (entered === null) return 'leave'
      const command = readPlainCommand(entered.text, items, now())
      if (command === 'quit') return 'leave'
      if (command === 'help') say(plainHelp)
      else if (typeof command === 'object' && 'refused' in command) say(command.refused)
      else {
        await act(command)
        return 'again'
      }
    }
  }

  async function act(command: Exclude<PlainCommand, 'quit' | 'help' | { refused: string }>): Promise<void> {
    if (command === 'reload') return
    if (command === 'snoozed') showsSnoozed = !showsSnoozed
    else if ('filter' in command) filter = command.filter
    else if ('open' in command) await open(command.open.request)
    else if ('settle' in command) await settle(requestsOf(command.settle), command.by)
    else if ('last' in command) await answerAsLast(command.last.request)
    else if ('ask' in command) await ask(command.ask.request, command.text)
    else await snooze(requestsOf(command.snooze), command.until)
  }

  async function settle(requests: readonly Request[], decision: Decision): Promise<void> {
    const { settled, refused } = await settleEach(hub, requests, decision)
    for (const { request } of settled) say(`${cut(itemOf(request, null).title, 40)} · ${describe(request)}`)
    for (const why of refused) say(harmlessTitle(why))
  }

  async function answerAsLast(request: Request): Promise<void> {
    const last = await loadLastAnswer(hub, request)
    if (!last) return say('It was not answered before.')
    await settle([request], answerAgain(last))
  }

  async function ask({ id }: Request, text: string): Promise<void> {
    const result = await orRefusal(() => hub.messages.send(id, { text }))
    say('refused' in result ? harmlessTitle(result.refused) : 'Sent to the agent. The request stays open.')
  }

  async function snooze(requests: readonly Request[], until: string | null): Promise<void> {
    const { done, refused } = await snoozeEach(hub, requests, until)
    if (done.length > 0) say(`${done.length} ${until === null ? 'back in the inbox' : 'snoozed'}.`)
    for (const why of refused) say(harmlessTitle(why))
  }

  async function open(request: Request): Promise<void> {
    opened = request.id
    const end = await promptUntilSettled(hub, request, signal, closing =>
      promptPlain(terminal, hub, request, { signal: closing, now, lines: borrow(lines, closing) }),
    )
    opened = null
    if (typeof end === 'string') return say(`\n${request.id} stays open.`)
    const wasElsewhere = 'settledElsewhere' in end
    say(`\n${describe(wasElsewhere ? end.settledElsewhere : end.request)}`)
    if (wasElsewhere && terminal.input.isTTY) await discardInput()
  }

  /** The input was meant for a request that is gone, and may be part of a secret. */
  async function discardInput() {
    await lines.close()
    lines = await openLines(terminal, signal)
  }

  function say(text: string) {
    terminal.output.write(`${text}\n`)
  }
}

interface Counts {
  readonly showsSnoozed: boolean
  readonly filter: string
  /** How many the filter hides, and how many are snoozed, or wait where the snoozed ones are shown. */
  readonly filtered: number
  readonly others: number
}

/** One line per request, in words, so that a screen reader can read it. */
function listing(
  groups: readonly Group[],
  columns: number,
  now: number,
  isNew: (item: Item) => boolean,
  { showsSnoozed, filter, filtered, others }: Counts,
): string {
  const items = groups.flatMap(({ asker, items }) =>
    items.map(item => inWords(item, asker ?? item.agent, isNew(item), now)),
  )
  const more = others === 0 || showsSnoozed ? [] : [`${others} more ${others === 1 ? 'is' : 'are'} snoozed.`]
  const hidden = filtered === 0 ? [] : [`${filtered} more ${filtered === 1 ? 'does' : 'do'} not match the filter.`]
  if (items.length === 0) {
    const nothing = showsSnoozed ? 'Nothing is snoozed.' : 'Nothing is waiting for you.'
    const unmatched = `Nothing matches “${harmlessTitle(filter)}”.`
    return ['', filtered > 0 ? unmatched : nothing, ...hidden, ...more].join('\n')
  }
  const margin = `${items.length}`.length + 3
  const rows = items.flatMap((words, i) => wrap(line(`${`${i + 1}.`.padStart(margin - 1)} ${words}`), columns, margin))
  const what = showsSnoozed ? 'snoozed' : 'waiting'
  const count = items.length === 1 ? `1 request is ${what}:` : `${items.length} requests are ${what}:`
  return ['', count, ...rows.map(one => paint(one, false)), ...hidden, ...more].join('\n')
}

function inWords({ request, title }: Item, asker: string, isNew: boolean, now: number): string {
  const danger = request.kind === 'approval' ? `, danger ${request.action.severity}` : ''
  const news = isNew ? 'new, ' : ''
  return `${news}${kindWords[request.kind]}${danger}, ${ageOf(request.createdAt, now)}, ${asker}: ${title}`
}

/** The same lines for a prompt that may be closed; what it does not read stays for the next reader. */
function borrow(lines: Lines, signal: AbortSignal): Lines {
  const closed = new Promise<null>(resolve => {
    if (signal.aborted) resolve(null)
    signal.addEventListener('abort', () => resolve(null), { once: true })
  })
  return {
    next: (prompt, options) => Promise.race([lines.next(prompt, options), closed]),
    interject: text => lines.interject(text),
    async close() {},
  }
}
