import type { HubApi } from '../../protocol/hub.ts'
import type { Request } from '../../protocol/request.ts'
import { ageOf } from '../../text/age.ts'
import { line } from '../../text/styled.ts'
import { wrap } from '../../text/wrap.ts'
import { paint } from '../paint.ts'
import { promptPlain } from '../plain/prompt.ts'
import { type Lines, openLines } from '../plain/read-lines.ts'
import { columnsOf, type Terminal } from '../terminal.ts'
import { notify } from './desktop-notification.ts'
import { followPending, listAll, listSnoozed } from './follow-pending.ts'
import { type Group, groupItems } from './group.ts'
import type { Change } from './inbox.ts'
import { hasReply, type Item, isSnoozed, itemOf, kindWords, reminderOf } from './item.ts'
import type { InboxOptions } from './options.ts'
import { promptUntilSettled } from './prompt-until-settled.ts'

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
  // The list reports errors of its own.
  followPending(hub, { signal: leaving.signal, onChange, onError() {} })
  try {
    for (;;) {
      const snoozed = await listSnoozed(hub)
      const all = (await listAll(hub)).map(request => itemOf(request, null, snoozed.get(request.id) ?? null))
      const waiting = all.filter(item => isSnoozed(item, now()) === showsSnoozed)
      const groups = groupItems(waiting)
      const items = groups.flatMap(({ items }) => items)
      say(listing(groups, columnsOf(terminal), now(), { showsSnoozed, others: all.length - items.length }))
      const choice = await choose(items, all.length > items.length)
      if (choice === 'leave') return
      if (choice !== 'again') await open(choice)
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
    const notifies = !atStart && terminal.input.isTTY && !quiet
    for (const item of notifies ? [...arrived, ...reminded] : []) notify(terminal, item)
    atStart = false
  }

  async function choose(items: readonly Item[], hidesSome: boolean): Promise<Request | 'again' | 'leave'> {
    for (;;) {
      const entered = (await lines.next(hidesSome ? questionBesideHidden : question))?.text.trim().toLowerCase()
      if (entered === undefined || ['q', 'quit'].includes(entered)) return 'leave'
      if (entered === 'z') showsSnoozed = !showsSnoozed
      if (entered === 'r' || entered === 'z') return 'again'
      const chosen = /^\d+$/.test(entered) ? items[Number(entered) - 1] : undefined
      if (chosen) return chosen.request
      say(items.length > 0 ? `Enter a number from 1 to ${items.length}, r or q.` : 'Nothing is waiting. Enter r or q.')
    }
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

/** One line per request, in words, so that a screen reader can read it. */
function listing(
  groups: readonly Group[],
  columns: number,
  now: number,
  { showsSnoozed, others }: { showsSnoozed: boolean; others: number },
): string {
  const items = groups.flatMap(({ asker, items }) => items.map(item => inWords(item, asker ?? item.agent, now)))
  const more = others === 0 || showsSnoozed ? [] : [`${others} more ${others === 1 ? 'is' : 'are'} snoozed.`]
  if (items.length === 0)
    return ['', showsSnoozed ? 'Nothing is snoozed.' : 'Nothing is waiting for you.', ...more].join('\n')
  const margin = `${items.length}`.length + 3
  const rows = items.flatMap((words, i) => wrap(line(`${`${i + 1}.`.padStart(margin - 1)} ${words}`), columns, margin))
  const what = showsSnoozed ? 'snoozed' : 'waiting'
  const count = items.length === 1 ? `1 request is ${what}:` : `${items.length} requests are ${what}:`
  return ['', count, ...rows.map(one => paint(one, false)), ...more].join('\n')
}

function inWords({ request, title }: Item, asker: string, now: number): string {
  const danger = request.kind === 'approval' ? `, danger ${request.action.severity}` : ''
  return `${kindWords[request.kind]}${danger}, ${ageOf(request.createdAt, now)}, ${asker}: ${title}`
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
