import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { encodeSpans, type FinishedSpan } from './otlp.ts'
import type { TracingSettings } from './settings.ts'

export interface Exporter {
  add(span: FinishedSpan): void
  /** Sends what is left, for a moment. */
  close(): Promise<void>
}

interface Options {
  settings: TracingSettings
  version: string
  /** Hears once why spans do not arrive, and again after some arrived. */
  onProblem: (problem: string) => void
}

// What OTLP says may be sent again.
const temporary = new Set([429, 502, 503, 504])
const pauses = [1_000, 2_000, 4_000, 8_000]
const longestPause = 30_000
/** A command must not end late because a collector is slow. */
const closingTime = 2_000

/** Sends spans in batches, in the background. Where the collector is too slow, or away for long, spans are dropped. */
export function createExporter({ settings, version, onProblem }: Options): Exporter {
  const { delay, batch, queue: mostQueued } = settings
  const queue: FinishedSpan[] = []
  const closing = new AbortController()
  let timer: NodeJS.Timeout | null = null
  let sending: Promise<void> | null = null
  let hasProblem = false
  return { add, close }

  function add(span: FinishedSpan) {
    if (queue.length >= mostQueued) return report('The collector is too slow: spans are dropped.')
    queue.push(span)
    if (queue.length >= batch) start()
    else timer ??= setTimeout(start, delay).unref()
  }

  function start() {
    if (timer) clearTimeout(timer)
    timer = null
    sending ??= sendAll().finally(() => {
      sending = null
    })
  }

  async function sendAll() {
    while (queue.length > 0) {
      const problem = await sendWithRetries(queue.splice(0, batch))
      if (problem === null) hasProblem = false
      else report(problem)
    }
  }

  async function sendWithRetries(spans: readonly FinishedSpan[]): Promise<string | null> {
    const json = encodeSpans(spans, settings.resource, version)
    const body = settings.gzip ? new Uint8Array(await promisify(gzip)(json)) : json
    for (const pause of [...pauses, null]) {
      const { problem, retryAfter } = await send(body)
      if (problem === null || retryAfter === null || pause === null || closing.signal.aborted) return problem
      report(problem)
      await sleep(Math.min(retryAfter || pause, longestPause), null, { signal: closing.signal, ref: false }).catch(
        () => {},
      )
    }
    return null
  }

  async function send(
    body: string | Uint8Array<ArrayBuffer>,
  ): Promise<{ problem: string | null; retryAfter: number | null }> {
    const { url, headers, gzip: isCompressed, timeout } = settings
    try {
      const response = await fetch(url, {
        method: 'POST',
        headers: {
          ...headers,
          'content-type': 'application/json',
          'user-agent': `beckon/${version}`,
          ...(isCompressed ? { 'content-encoding': 'gzip' } : {}),
        },
        body,
        redirect: 'error',
        signal: AbortSignal.timeout(timeout),
      })
      const text = await response.text()
      if (response.ok) return { problem: rejectionIn(text), retryAfter: null }
      const problem = `The collector replied with the status ${response.status}.`
      const seconds = Number(response.headers.get('retry-after') ?? 0)
      return { problem, retryAfter: temporary.has(response.status) ? seconds * 1_000 || 0 : null }
    } catch {
      return { problem: 'The collector cannot be reached.', retryAfter: 0 }
    }
  }

  function report(problem: string) {
    if (!hasProblem) onProblem(problem)
    hasProblem = true
  }

  async function close() {
    closing.abort()
    start()
    await Promise.race([sending, sleep(closingTime, null, { ref: false })])
  }
}

/** A collector may take some of the spans only, and say so in a successful reply. */
function rejectionIn(text: string): string | null {
  try {
    const { partialSuccess } = JSON.parse(text) as { partialSuccess?: { rejectedSpans?: string | number } }
    const rejected = Number(partialSuccess?.rejectedSpans ?? 0)
    return rejected > 0 ? `The collector rejected ${rejected} spans.` : null
  } catch {
    return null
  }
}
