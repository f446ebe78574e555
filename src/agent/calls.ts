import type { Call } from './journal/history.ts'
import type { Tool } from './tools/tool.ts'

/**
 * The calls of one reply in the order in which they may be carried out. What only looks runs side by side, and so do
 * sub-agents; what changes something runs alone; questions that follow each other are open together, and whatever the
 * model wanted to do after them waits for their answers.
 */
export function groupCalls(calls: readonly Call[], toolOf: (name: string) => Tool | undefined): Call[][] {
  const groups: { sort: string; calls: Call[] }[] = []
  for (const call of calls) {
    const sort = sortOf(toolOf(call.tool))
    const last = groups.at(-1)
    if (last && sort !== 'alone' && last.sort === sort) last.calls.push(call)
    else groups.push({ sort, calls: [call] })
  }
  return groups.map(({ calls }) => calls)
}

function sortOf(tool: Tool | undefined): 'looks' | 'alone' | 'asks' | 'delegates' {
  if (!tool) return 'looks'
  if (tool.kind === 'ask') return 'asks'
  if (tool.kind === 'delegate') return 'delegates'
  return tool.effect === 'none' ? 'looks' : 'alone'
}

export const mostFailures = 3

/** Counts how often the very same call has failed with nothing done in between that could have helped. */
export class Failures {
  readonly #counts = new Map<string, number>()

  isTooMany(call: Pick<Call, 'tool' | 'input'>): boolean {
    return (this.#counts.get(nameOf(call)) ?? 0) >= mostFailures
  }

  failed(call: Pick<Call, 'tool' | 'input'>): void {
    this.#counts.set(nameOf(call), (this.#counts.get(nameOf(call)) ?? 0) + 1)
  }

  /** Something was changed, or a person said something: what failed before may work now. */
  forget(): void {
    this.#counts.clear()
  }
}

function nameOf({ tool, input }: Pick<Call, 'tool' | 'input'>): string {
  return `${tool} ${JSON.stringify(input)}`
}
