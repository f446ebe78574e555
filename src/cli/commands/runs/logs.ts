import { existsSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Command, InvalidArgumentError } from 'commander'
import { invalid } from '../../../protocol/errors.ts'
import type { HubApi } from '../../../protocol/hub.ts'
import { runEnds } from '../../../protocol/status.ts'
import type { LogPosition } from '../../../supervisor/log/find-start.ts'
import type { LogRecord } from '../../../supervisor/log/reader.ts'
import { harmlessTitle } from '../../../text/harmless.ts'
import type { Context } from '../../context.ts'
import { interruption } from '../../interruption.ts'
import { type AgentOutput, createAgentOutput } from '../../output/agent-output.ts'
import { exitCodes } from '../../output/exit-codes.ts'
import { print } from '../../output/print.ts'
import { createProgress } from '../../output/progress.ts'
import { lookAfterRuns } from '../../run/look-after.ts'
import { IdArgument } from '../../short-ids/arguments.ts'
import { withHub } from '../../with-hub.ts'

interface LogsOptions {
  follow?: boolean
  tail?: number
  since?: string
}

/** A command of `beckon runs`. */
export function registerLogs(runs: Command, context: Context): void {
  runs
    .command('logs')
    .summary('Print the output of a run')
    .description('Prints the output of a run.')
    .addArgument(new IdArgument('<run>', 'the id of the run', 'run'))
    .option('-f, --follow', 'keep printing new output until the run ends')
    .option('-n, --tail <lines>', 'only this many lines from the end', readLines)
    .option('--since <when>', 'only output since then: 10m for ten minutes ago, or a time such as 2026-11-15T10:30:00Z')
    .addHelpText('after', help)
    .action(async (id: string, options: LogsOptions) => {
      context.exitCode = await logs(context, id, options)
    })
}

async function logs(context: Context, id: string, options: LogsOptions): Promise<number> {
  const from = await startOf(context, options)
  const { homeOf } = await import('../../../system/home.ts')
  const { runFolder } = await import('../../../supervisor/folder.ts')
  const { logSize, readLog } = await import('../../../supervisor/log/reader.ts')
  const interrupted = interruption()
  const read = new AbortController()
  return withHub(context, async hub => {
    await hub.runs.get(id)
    await lookAfterRuns(context, hub)
    const { follow = false } = options
    const { log } = runFolder(homeOf(context.env), id)
    if (!existsSync(log)) {
      const { printRemoteLog } = await import('../../run/remote-logs.ts')
      await printRemoteLog(context, hub, id, { from, follow, signal: interrupted.signal })
      return exitCodes.fine
    }
    const { start, end } = await logSize(log)
    const progress = createProgress(context, from === 'start' ? end - start : 0)
    const over = follow ? untilItEnds(hub, id, read.signal) : undefined
    const output = createAgentOutput(context)
    const reading = readLog(log, { from, follow, signal: interrupted.signal, ...(over ? { over } : {}) })
    for await (const record of reading) {
      progress.at(record.offset - start)
      // The progress line is on stderr, too: other text must not continue it.
      if (record.stream !== 'out' || record.offset >= end) progress.clear()
      await printRecord(context, output, record)
    }
    await output.end()
    progress.clear()
    return exitCodes.fine
  }).finally(() => {
    read.abort()
    interrupted.release()
  })
}

async function startOf({ now }: Context, { tail, since }: LogsOptions): Promise<LogPosition> {
  if (tail !== undefined && since !== undefined) {
    throw invalid([{ path: 'tail', message: 'and --since both say where to start; give one of them' }])
  }
  if (tail !== undefined) return { lines: tail }
  if (since === undefined) return 'start'
  const { parseDuration } = await import('../../../protocol/duration.ts')
  const ago = parseDuration(since)
  const time = ago === null ? Date.parse(since) : now() - ago
  if (!Number.isNaN(time)) return { time }
  throw invalid([{ path: 'since', message: 'is neither a duration nor a time; write 10m, or 2026-11-15T10:30:00Z' }])
}

const pollEvery = 1_000
// A run that was stopped by another process may still be writing.
const graceForWriter = 2_000

/** A supervisor that was killed cannot close its log; the hub still learns that the run has ended. */
function untilItEnds(hub: HubApi, id: string, signal: AbortSignal): AbortSignal {
  const over = new AbortController()
  watch().catch(() => over.abort())
  return over.signal

  async function watch() {
    while (!hasEnded((await hub.runs.get(id)).status)) await sleep(pollEvery, undefined, { signal })
    await sleep(graceForWriter, undefined, { signal })
    over.abort()
  }
}

function hasEnded(status: string): boolean {
  return (runEnds as readonly string[]).includes(status)
}

async function printRecord(
  { stderr }: Context,
  output: AgentOutput,
  { stream, bytes, missing }: LogRecord,
): Promise<void> {
  if (stream === 'out' || stream === 'err') return output.print(stream, bytes)
  const text = stream === 'gap' ? `${missing} bytes of output were deleted` : harmlessTitle(String(bytes))
  return print(stderr, `beckon: ${text}\n`)
}

function readLines(source: string): number {
  const lines = Number(source)
  if (/^\d+$/.test(source) && Number.isSafeInteger(lines)) return lines
  throw new InvalidArgumentError('Give a number of lines.')
}

const help = `
The stdout of the run goes to stdout. Its stderr goes to stderr, together with notes by Beckon. On a terminal, colours and
other control characters are shown as escapes; in a pipe or a file, every byte is as the agent wrote it.

Examples:
  beckon runs logs run_01jz…
  beckon runs logs run_01jz… -n 100 -f
  beckon runs logs run_01jz… | less -R          with colours
  beckon runs logs run_01jz… --since 10m 2>/dev/null`
