import type { AgentEvent } from '../../agent/events.ts'
import { harmlessTitle } from '../../text/harmless.ts'

type InstructionsEvent = Pick<Extract<AgentEvent, { type: 'instructions' }>, 'files' | 'left'>

/** What the agent was told by files, one line for all that it read and one for each that it did not. */
export function describeInstructions({ files, left }: InstructionsEvent): string[] {
  const read = files.map(({ path, characters, cut }) => {
    if (!cut) return harmlessTitle(path)
    return `${harmlessTitle(path)} (${characters === 0 ? 'left out' : `its first ${characters.toLocaleString('en')} characters`}: too long)`
  })
  return [`Instructions: ${read.length > 0 ? read.join(', ') : 'none'}.`, ...left.map(harmlessTitle)]
}
