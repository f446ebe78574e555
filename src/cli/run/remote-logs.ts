import { BeckonError } from '../../protocol/errors.ts'
import type { HubApi } from '../../protocol/hub.ts'
import type { LogPage } from '../../protocol/run-log.ts'
import type { LogPosition } from '../../supervisor/log/find-start.ts'
import { harmlessTitle } from '../../text/harmless.ts'
import type { Context } from '../context.ts'
import { type AgentOutput, createAgentOutput } from '../output/agent-output.ts'
import { print } from '../output/print.ts'

interface PrintOptions {
  from: LogPosition
  follow: boolean
  signal: AbortSignal
}

type Piece = LogPage['pieces'][number]

const pageBytes = 1_048_576
const waitSeconds = 30

/** Prints the log of a run on another machine, as far as it was sent to the hub. */
export async function printRemoteLog(context: Context, hub: HubApi, run: string, options: PrintOptions): Promise<void> {
  const { from, follow, signal } = options
  const lines = typeof from === 'object' && 'lines' in from ? from.lines : null
  const time = typeof from === 'object' && 'time' in from ? from.time : 0
  const output = createAgentOutput(context)
  let after = lines === null ? '0' : 'end'
  for (let first = true; !signal.aborted; first = false) {
    const page = await hub.logs.read(run, { after, limit: pageBytes, wait: follow && !first ? waitSeconds : 0, signal })
    if (page.elsewhere !== null && !follow) throw notSent(run, page.elsewhere)
    if (page.missing > 0 && after !== 'end') await note(context, `${page.missing} bytes of output are not in the hub.`)
    const pieces = page.pieces.filter(({ at }) => Date.parse(at) >= time)
    for (const piece of first && lines !== null ? lastLines(pieces, lines) : pieces) await show(context, output, piece)
    if (page.final || (!follow && (page.pieces.length === 0 || page.next === after))) break
    after = page.next
  }
  await output.end()
}

function notSent(run: string, host: string): BeckonError {
  return new BeckonError('not_allowed', `The log of ${run} is on ${host}, and was not sent to the hub.`)
}

/** The last lines, an unfinished one included. */
function lastLines(pieces: readonly Piece[], lines: number): Piece[] {
  const chosen: Piece[] = []
  let left = lines
  for (const piece of pieces.toReversed()) {
    if (left <= 0) break
    const parts = piece.stream === 'note' ? [piece.text] : piece.text.split(/(?<=\n)/)
    const taken = parts.slice(-left)
    chosen.unshift({ ...piece, text: taken.join('') })
    left -= taken.length
  }
  return chosen
}

function show(context: Context, output: AgentOutput, { stream, text }: Piece): Promise<void> {
  return stream === 'note' ? note(context, harmlessTitle(text)) : output.print(stream, text)
}

function note({ stderr }: Context, text: string): Promise<void> {
  return print(stderr, `beckon: ${text}\n`)
}
