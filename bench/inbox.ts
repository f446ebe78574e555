import type { Request } from '../src/protocol/request.ts'
import { Inbox } from '../src/terminal/inbox/inbox.ts'
import { itemOf } from '../src/terminal/inbox/item.ts'
import { pressKey } from '../src/terminal/inbox/press-key.ts'
import { view } from '../src/terminal/inbox/view.ts'
import { paint } from '../src/terminal/paint.ts'
import { key } from '../test/terminal/key.ts'
import { aQuestion, aRequest } from '../test/terminal/requests.ts'
import { median, percentile, type Row } from './report.ts'

const waiting = 5_000
const rounds = 10
const keys = ['down', 'pagedown', 'end', 'home', 'f', 'down', 'escape', '/', ...'question 49', 'escape', ' ', 'a']
const start = Date.parse('2026-01-01T00:00:00Z')

/** Measures what a key costs in the inbox of the terminal, with thousands of requests of many sessions and projects. */
export function benchInbox(): Row[] {
  const inbox = new Inbox(() => start + 3_600_000)
  inbox.update({ arrived: Array.from({ length: waiting }, (_, i) => itemOf(request(i), null)), left: [] })
  draw(inbox)
  const times = Array.from({ length: rounds }, () => keys.map(name => pressAndDraw(inbox, name))).flat()
  const arriving = processorTime(() => {
    for (let i = 0; i < 200; i += 1) inbox.update({ arrived: [itemOf(request(waiting + i), null)], left: [] })
    draw(inbox)
  })
  const group = `terminal: an inbox of ${waiting.toLocaleString('en')} requests, processor time`
  const soon = { of: 'value', atMost: 16 } as const
  return [
    { group, name: 'from a key to the frame, median', value: median(times), unit: 'ms', goal: soon },
    { group, name: 'from a key to the frame, p90', value: percentile(times, 0.9), unit: 'ms', goal: soon },
    { group, name: '200 new requests', value: arriving, unit: 'ms', goal: { of: 'value', atMost: 200 } },
  ]
}

function pressAndDraw(inbox: Inbox, name: string): number {
  return processorTime(() => {
    pressKey(inbox, key(name.length === 1 ? { name, text: name } : { name }))
    draw(inbox)
  })
}

function draw(inbox: Inbox): void {
  const { lines } = view(inbox, { columns: 100, rows: 40 }, { now: start, listening: true, env: {} })
  for (const line of lines) paint(line, true)
}

/** In milliseconds. */
function processorTime(work: () => void): number {
  const before = process.cpuUsage()
  work()
  return process.cpuUsage(before).user / 1_000
}

function request(number: number): Request {
  const createdAt = new Date(start + number * 60_000).toISOString()
  const question = aQuestion({ question: `Question ${number}?`, header: '' })
  const agent = { name: 'codex', cwd: `/srv/p${number % 7}`, path: [] }
  const session = `${number % 40}f2a9c10-aaaa-${number % 40}`
  return { ...aRequest([question], false), id: `req_${number}`, createdAt, agent, session } as Request
}
