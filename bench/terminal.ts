import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { openHub } from '../src/open-hub.ts'
import { promptRich } from '../src/terminal/rich/prompt.ts'
import { benchConversation } from './conversation.ts'
import { fakeTerminal, lines } from './fake-terminal.ts'
import { benchInbox } from './inbox.ts'
import { median, percentile, type Row } from './report.ts'

const pastedLines = 10_000
const shownLines = 5_000
const keys = 200
// What one read from a terminal returns at most.
const readSize = 4_096

/** Measures prompt and conversation as a person meets them: keys in, frames out. The prompt has a real hub behind it. */
export async function benchTerminal(): Promise<Row[]> {
  const paste = await measurePaste()
  const typing = await measureTyping()
  const pasting = `terminal: a paste of ${pastedLines.toLocaleString('en')} lines, marked and in reads of 4 KiB`
  const pressing = `terminal: from a key to the screen, in a text of ${shownLines.toLocaleString('en')} lines`
  const soon = { of: 'value', atMost: 16 } as const
  return [
    {
      ...{ group: pasting, name: 'processor time until it is shown', value: paste.processor, unit: 'ms' },
      goal: { of: 'value', atMost: 1_000 },
    },
    { group: pasting, name: 'frames drawn', value: paste.frames, unit: '', goal: { of: 'value', atMost: 1 } },
    { group: pressing, name: 'median', value: median(typing.times), unit: 'ms', goal: soon },
    { group: pressing, name: 'p99', value: percentile(typing.times, 0.99), unit: 'ms' },
    { group: pressing, name: 'processor time', value: typing.processor, unit: 'ms', goal: soon },
    ...(await benchConversation()),
    ...benchInbox(),
  ]
}

async function measurePaste() {
  return withPrompt(null, async screen => {
    const bytes = Buffer.from(`\x1b[200~${lines(pastedLines).replaceAll('\n', '\r')}\x1b[201~`)
    const before = process.cpuUsage()
    const drawn = screen.frames()
    for (let at = 0; at < bytes.length; at += readSize) screen.send(bytes.subarray(at, at + readSize))
    await screen.shows('lines pasted]')
    const { user, system } = process.cpuUsage(before)
    return { processor: (user + system) / 1_000, frames: screen.frames() - drawn }
  })
}

async function measureTyping() {
  return withPrompt(lines(shownLines), async screen => {
    const times: number[] = []
    const before = process.cpuUsage()
    for (let key = 0; key < keys; key += 1) {
      const drawn = screen.frames()
      const began = performance.now()
      screen.send(Buffer.from(key % 2 === 0 ? '한' : 'x'))
      while (screen.frames() === drawn) await new Promise(resolve => setImmediate(resolve))
      times.push(performance.now() - began)
      // A person's pace: drafts are saved meanwhile.
      if (key % 20 === 0) await sleep(100)
    }
    const { user, system } = process.cpuUsage(before)
    return { times, processor: (user + system) / 1_000 / keys }
  })
}

type FakeScreen = ReturnType<typeof fakeTerminal>

/** Runs the work on an open prompt for a text, which begins with the given draft. */
async function withPrompt<T>(draft: string | null, work: (screen: FakeScreen) => Promise<T>): Promise<T> {
  const root = mkdtempSync(join(tmpdir(), 'beckon-bench-terminal-'))
  const hub = await openHub({ env: { BECKON_HOME: root, BECKON_USER: 'bench' }, caller: { directory: root } })
  const leaving = new AbortController()
  const screen = fakeTerminal()
  try {
    const request = await hub.raise({ kind: 'question', questions: [{ question: 'Describe it' }] })
    if (draft !== null)
      await hub.drafts.save(request.id, {
        answers: [{ id: request.kind === 'question' ? (request.questions[0]?.id ?? '') : '', text: draft }],
      })
    const ended = promptRich(screen.terminal, hub, request, { signal: leaving.signal, now: Date.now })
    await screen.shows('leave open')
    const result = await work(screen)
    leaving.abort()
    await ended
    return result
  } finally {
    await hub.close()
    rmSync(root, { recursive: true, force: true })
  }
}
