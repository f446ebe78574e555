import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gunzipSync } from 'node:zlib'
import * as z from 'zod'

// OTLP over HTTP in JSON, as its specification has it: ids in hexadecimal, 64-bit numbers as texts, enumerations as numbers,
// and no field that the protocol does not know.
const hex = (digits: number) => z.string().regex(new RegExp(`^(?!0+$)[0-9a-f]{${digits}}$`))
const nanoseconds = z.string().regex(/^\d{19}$/)
const value = z.union([
  z.strictObject({ stringValue: z.string() }),
  z.strictObject({ intValue: z.string().regex(/^-?\d+$/) }),
  z.strictObject({ doubleValue: z.number() }),
  z.strictObject({ boolValue: z.boolean() }),
])
const attributes = z.array(z.strictObject({ key: z.string().min(1), value }))
const span = z.strictObject({
  traceId: hex(32),
  spanId: hex(16),
  parentSpanId: hex(16).optional(),
  name: z.string().min(1),
  kind: z.int().min(1).max(5),
  startTimeUnixNano: nanoseconds,
  endTimeUnixNano: nanoseconds,
  attributes,
  links: z.array(z.strictObject({ traceId: hex(32), spanId: hex(16) })).optional(),
  status: z.strictObject({ code: z.int().min(0).max(2).optional(), message: z.string().optional() }),
})
const traces = z.strictObject({
  resourceSpans: z.array(
    z.strictObject({
      resource: z.strictObject({ attributes }),
      scopeSpans: z.array(
        z.strictObject({ scope: z.strictObject({ name: z.string(), version: z.string() }), spans: z.array(span) }),
      ),
    }),
  ),
})

export interface ReceivedSpan extends Omit<z.output<typeof span>, 'attributes'> {
  attributes: Record<string, string | number | boolean>
  service: string
}

export interface Collector {
  url: string
  /** What the variables of OpenTelemetry say to send everything here. */
  env: Record<string, string>
  spans: ReceivedSpan[]
  calls: { path: string; headers: IncomingMessage['headers'] }[]
  /** The statuses of the next replies; 200 when none is left. */
  replies: { status: number; headers?: Record<string, string> }[]
  /** What did not follow the protocol. */
  faults: string[]
  close(): Promise<void>
}

/** A collector on a free port that checks what it is sent, and remembers it. */
export async function startCollector(): Promise<Collector> {
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part)
    collector.calls.push({ path: request.url ?? '', headers: request.headers })
    const { status, headers = {} } = collector.replies.shift() ?? { status: 200 }
    if (status === 200) take(request, Buffer.concat(parts))
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end('{}')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const collector: Collector = {
    url,
    env: { OTEL_EXPORTER_OTLP_ENDPOINT: url, OTEL_BSP_SCHEDULE_DELAY: '10' },
    spans: [],
    calls: [],
    replies: [],
    faults: [],
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
  return collector

  function take({ method, headers }: IncomingMessage, body: Buffer) {
    if (method !== 'POST' || headers['content-type'] !== 'application/json') collector.faults.push('not a POST of JSON')
    const text = String(headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body)
    const parsed = traces.safeParse(JSON.parse(text))
    if (!parsed.success) return void collector.faults.push(parsed.error.message)
    for (const { resource, scopeSpans } of parsed.data.resourceSpans) {
      const service = String(plain(resource.attributes)['service.name'])
      for (const one of scopeSpans.flatMap(({ spans }) => spans)) {
        collector.spans.push({ ...one, attributes: plain(one.attributes), service })
      }
    }
  }
}

function plain(list: z.output<typeof attributes>): Record<string, string | number | boolean> {
  return Object.fromEntries(
    list.map(({ key, value }) => {
      const [[type, content] = ['', '']] = Object.entries(value)
      return [key, type === 'intValue' ? Number(content) : content]
    }),
  )
}
