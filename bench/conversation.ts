import { setTimeout as sleep } from 'node:timers/promises'
import { emptyDraft } from '../src/terminal/conversation/input-box.ts'
import { openRichConversation } from '../src/terminal/conversation/rich.ts'
import { fakeTerminal, lines } from './fake-terminal.ts'
import { median, percentile, type Row } from './report.ts'

const transcriptLines = 5_000
const keys = 200
// A fast model: 250 pieces of a word and more in a second.
const pieceEvery = 4

/** Measures the agent's input box below a long transcript: while nothing happens, and while a reply arrives. */
export async function benchConversation(): Promise<Row[]> {
  const shown = `terminal: from a key to the screen, below a transcript of ${transcriptLines.toLocaleString('en')} lines`
  const rows: Row[] = []
  const soon = { of: 'value', atMost: 16 } as const
  const replies = { 'while idle': null, 'while a reply arrives': prose, 'while a block of code arrives': code }
  for (const [name, reply] of Object.entries(replies)) {
    const { times, processor } = await measure(reply)
    rows.push(
      { group: shown, name: `${name}: median`, value: median(times), unit: 'ms' },
      { group: shown, name: `${name}: p99`, value: percentile(times, 0.99), unit: 'ms' },
      { group: shown, name: `${name}: processor time`, value: processor, unit: 'ms', goal: soon },
    )
  }
  return rows
}

const prose = Array.from({ length: 300 }, () => 'The parser reads *each* line once, and 한글 too. '.repeat(12)).join(
  '\n\n',
)
const code = `\`\`\`ts\n${lines(transcriptLines)}\n`

/** Types while the reply arrives piece by piece. Of a code block, the first half is there when the typing begins. */
async function measure(reply: string | null) {
  const screen = fakeTerminal()
  const conversation = openRichConversation(screen.terminal, {
    ...{ history: () => [], complete: () => null, onInterrupt() {}, onClosed() {}, onShow() {}, saveDraft() {} },
    useTerminal: use => use(),
  })
  const { view } = conversation
  const leaving = new AbortController()
  conversation.start(emptyDraft)
  await screen.shows('> ')
  printTranscript(view)
  let arriving: NodeJS.Timeout | null = null
  if (reply === null) void conversation.next({ hint: 'context 3 %', signal: leaving.signal })
  else {
    view.work('thinking', () => 0)
    let at = reply.length / 2
    view.say(reply.slice(0, at))
    arriving = setInterval(() => {
      view.say(reply.slice(at, at + 8))
      at += 8
    }, pieceEvery)
  }
  // Until all of that is on the screen.
  await sleep(500)
  try {
    return await type(screen)
  } finally {
    if (arriving) clearInterval(arriving)
    leaving.abort()
    conversation.close()
  }
}

function printTranscript(view: ReturnType<typeof openRichConversation>['view']) {
  for (let count = 0; count < transcriptLines / 5; count += 1) {
    view.say(`Reply ${count}: it is **done**.`)
    view.endReply()
    view.end(`call-${count}`, {
      ...{ title: `Bash make ${count}`, lines: ['one', 'two'], failed: false },
      countMore: more => `… ${more} more`,
    })
  }
}

async function type(screen: ReturnType<typeof fakeTerminal>) {
  const times: number[] = []
  let processor = 0
  let typed = ''
  for (let key = 0; key < keys; key += 1) {
    // One line of the box.
    if (key % 40 === 0) {
      screen.send(Buffer.from('\x15'))
      typed = ''
    }
    // A person's pace, and not that of the pieces.
    await sleep(10 + (key % 7))
    const letter = key % 2 === 0 ? '한' : 'x'
    typed += letter
    const before = process.cpuUsage()
    const began = performance.now()
    screen.send(Buffer.from(letter))
    while (!screen.last().includes(typed)) await new Promise(resolve => setImmediate(resolve))
    times.push(performance.now() - began)
    const { user, system } = process.cpuUsage(before)
    processor += (user + system) / 1_000
  }
  return { times, processor: processor / keys }
}
