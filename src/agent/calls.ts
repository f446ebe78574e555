import type { Call } from './journal/history.ts'
import type { Tool } from './tools/tool.ts'

/**
 * The calls of one reply in the order in which they may run. Calls that only read run side by side, and so do
 * sub-agents; a call that changes something runs alone; questions in a row are open together, and the calls after them
 * wait for their answers.
 */
export function groupCalls(calls: readonly Call[], toolOf: (name: string) => Tool | undefined): Call[][] {
  const groups: { concurrency: string; calls: Call[] }[] = []
  for (const call of calls) {
    const concurrency = concurrencyOf(toolOf(call.tool))
    const last = groups.at(-1)
    if (last && concurrency !== 'alone' && last.concurrency === concurrency) last.calls.push(call)
    else groups.push({ concurrency, calls: [call] })
  }
  return groups.map(({ calls }) => calls)
}

function concurrencyOf(tool: Tool | undefined): 'reads' | 'alone' | 'asks' | 'delegates' {
  if (!tool) return 'reads'
  if (tool.kind === 'ask') return 'asks'
  if (tool.kind === 'delegate') return 'delegates'
  if (tool.kind === 'plan') return 'alone'
  return tool.effect === 'none' ? 'reads' : 'alone'
}

export const maxFailures = 3

/** Counts how often the same call has failed while nothing was done in between that could have helped. */
export class FailureCounter {
  readonly #counts = new Map<string, number>()

  isTooMany(call: Pick<Call, 'tool' | 'input'>): boolean {
    return (this.#counts.get(keyOf(call)) ?? 0) >= maxFailures
  }

  add(call: Pick<Call, 'tool' | 'input'>): void {
    this.#counts.set(keyOf(call), (this.#counts.get(keyOf(call)) ?? 0) + 1)
  }

  /** Something was changed, or a person said something: what failed before may work now. */
  reset(): void {
    this.#counts.clear()
  }
}

function keyOf({ tool, input }: Pick<Call, 'tool' | 'input'>): string {
  return `${tool} ${JSON.stringify(input)}`
}
