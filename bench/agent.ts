import './markdown.ts'
import { closeSync, fsyncSync, mkdtempSync, openSync, rmSync, writeFileSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { LanguageModel } from 'ai'
import { openHub } from '../src/open-hub.ts'
import { median, percentile, progress, type Row } from './report.ts'

const turns = 500
const span = 50
// Per turn: the user message, a reply with a tool call, its result, and the final reply.
const linesPerTurn = 4

/** Measures the overhead of the loop per turn: the model answers at once, and every turn reads a file. */
export async function benchAgent(): Promise<Row[]> {
  const { AgentLoop } = await import('../src/agent/index.ts')
  const root = mkdtempSync(join(tmpdir(), 'beckon-bench-agent-'))
  const hub = await openHub({ env: { BECKON_HOME: root }, caller: { directory: root } })
  writeFileSync(join(root, 'notes.txt'), 'a note\n'.repeat(40))
  const model = { id: 'bench/instant', provider: 'bench', name: 'instant', load: async () => instantModel() }
  const loop = await AgentLoop.open({ hub, model, home: join(root, 'home'), cwd: root, maxContextTokens: 50_000 })
  const times: number[] = []
  const floors: number[] = []
  try {
    for (let turn = 1; turn <= turns; turn += 1) {
      const began = performance.now()
      const { status } = await loop.runTurn(`turn ${turn}`)
      times.push(performance.now() - began)
      // Measured after each turn, because the load on the disk changes over time.
      floors.push(appendLines(join(root, 'floor')))
      if (status !== 'done') throw new Error(`turn ${turn} ended as ${status}`)
      if (turn % 100 === 0) progress(`agent: turn ${turn} of ${turns}`)
    }
    const first = { value: median(times.slice(1, span + 1)), floor: median(floors.slice(1, span + 1)) }
    const last = { value: median(times.slice(-span)), floor: median(floors.slice(-span)) }
    const growth = last.value / last.floor / (first.value / first.floor)
    const group = 'agent: one turn with one tool call (two requests to the model), without the model'
    return [
      { group, name: `turns 2–${span + 1}`, unit: 'ms', ...first },
      { group, name: `turns ${turns - span + 1}–${turns}`, unit: 'ms', ...last },
      { group, name: 'p99 of all', value: percentile(times.slice(1), 0.99), unit: 'ms' },
      {
        group,
        name: 'the last beside the first, each by its floor',
        value: growth,
        unit: '×',
        goal: { of: 'value', atMost: 1.5 },
      },
    ]
  } finally {
    loop.close()
    await hub.close()
    rmSync(root, { recursive: true, force: true })
  }
}

/** Appends as many lines as a turn does, with an fsync after each; returns the milliseconds. */
function appendLines(file: string): number {
  const began = performance.now()
  const fd = openSync(file, 'a')
  for (let line = 0; line < linesPerTurn; line += 1) {
    writeSync(fd, `${'x'.repeat(300)}\n`)
    fsyncSync(fd)
  }
  closeSync(fd)
  return performance.now() - began
}

type Model = Exclude<LanguageModel, string>
type Options = Parameters<Model['doStream']>[0]

/** Calls Read after a user message and replies with text after the result. It reports no token usage, so the loop estimates. */
function instantModel(): LanguageModel {
  let count = 0
  return {
    specificationVersion: 'v4',
    provider: 'bench',
    modelId: 'instant',
    supportedUrls: {},
    doGenerate: () => Promise.reject(new Error('not used')),
    async doStream({ prompt, tools }: Options) {
      count += 1
      const asks = (tools?.length ?? 0) > 0 && prompt.at(-1)?.role === 'user'
      const id = `call_${count}`
      const parts = asks
        ? [{ type: 'tool-call', toolCallId: id, toolName: 'Read', input: '{"path":"notes.txt"}' }]
        : [
            { type: 'text-start', id },
            { type: 'text-delta', id, delta: 'It is a note.' },
            { type: 'text-end', id },
          ]
      const usage = { inputTokens: {}, outputTokens: {} }
      const finish = { type: 'finish', finishReason: { unified: asks ? 'tool-calls' : 'stop' }, usage }
      return { stream: ReadableStream.from([{ type: 'stream-start', warnings: [] }, ...parts, finish]) }
    },
  } as unknown as LanguageModel
}
