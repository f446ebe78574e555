import { type Command, InvalidArgumentError } from 'commander'
import type { Event } from '../../protocol/event.ts'
import type { HubApi } from '../../protocol/hub.ts'
import { harmlessJson, harmlessTitle } from '../../text/harmless.ts'
import { pad } from '../../text/width.ts'
import type { Context } from '../context.ts'
import { interruption } from '../interruption.ts'
import { exitCodes } from '../output/exit-codes.ts'
import { print } from '../output/print.ts'
import { withHub } from '../with-hub.ts'

interface EventsOptions {
  since?: number
  follow?: boolean
  json?: boolean
}

export function registerEvents(program: Command, context: Context): void {
  program
    .command('events')
    .summary('Print events, and follow new ones')
    .description(
      'Prints every event on a line. The number of an event is its cursor: --since continues after it without a gap.',
    )
    .option('--since <number>', 'only events after this number (default: all; with --follow: new ones)', readCursor)
    .option('--follow', 'keep printing new events until Ctrl-C')
    .option('--json', 'print one JSON document per line')
    .addHelpText(
      'after',
      '\nA cursor from before what `beckon gc` has left is refused (cursor_gone); --since 0 prints all that is left.\n\nExamples:\n  beckon events\n  beckon events --since 17 --follow --json',
    )
    .action(async (options: EventsOptions) => {
      context.exitCode = await events(context, options)
    })
}

function events(context: Context, options: EventsOptions): Promise<number> {
  const interrupted = interruption()
  return withHub(context, async hub => {
    for await (const event of source(hub, options, interrupted.signal)) {
      const line = options.json ? harmlessJson(event) : formatEvent(event)
      // The reader closed the pipe.
      const closed = await print(context.stdout, `${line}\n`).catch(() => true)
      if (closed) break
    }
    return exitCodes.fine
  }).finally(interrupted.release)
}

function source(hub: HubApi, { since, follow = false }: EventsOptions, signal: AbortSignal): AsyncIterable<Event> {
  return follow ? hub.follow({ signal, ...(since === undefined ? {} : { since }) }) : untilNow(hub, since ?? 0, signal)
}

async function* untilNow(hub: HubApi, since: number, signal: AbortSignal): AsyncGenerator<Event> {
  for (let cursor = since; !signal.aborted; ) {
    // From the beginning it prints what is left, page after page. Without need it is not said: an older server refuses it.
    const page = await hub.events({ since: cursor, ...(since === 0 && cursor > 0 ? { allowGaps: true } : {}) })
    const last = page.at(-1)
    if (!last) return
    yield* page
    cursor = last.id
  }
}

function formatEvent({ id, at, type, request, run, data }: Event): string {
  const { by, channel, from } = data
  const who =
    typeof by === 'string'
      ? `  ${harmlessTitle(by)} (${harmlessTitle(String(channel))})`
      : typeof from === 'string'
        ? `  from the ${harmlessTitle(from)}`
        : ''
  return `${pad(String(id), 7)} ${at}  ${pad(type, 18)}  ${request ?? run ?? ''}${who}`
}

function readCursor(source: string): number {
  const cursor = Number(source)
  if (/^\d+$/.test(source) && Number.isSafeInteger(cursor)) return cursor
  throw new InvalidArgumentError('Give the number of an event, or 0.')
}
