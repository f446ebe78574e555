type Env = Readonly<Record<string, string | undefined>>

/** What OpenTelemetry's own environment variables say. */
export interface TracingSettings {
  /** Where to send spans. */
  url: string
  headers: Record<string, string>
  /** Milliseconds that one call may take. */
  timeout: number
  gzip: boolean
  /** Of the process: its service.name and whatever else the operator says. */
  resource: Record<string, string>
  sampler: Sampler
  /** Milliseconds between two calls, and how many spans one call and the queue take. */
  delay: number
  batch: number
  queue: number
}

export interface Sampler {
  /** Whether a caller that has decided is followed. */
  followsParent: boolean
  /** The share of the traces that begin here: 0 to 1. */
  ratio: number
}

/** Null where nothing is to be traced: nobody said where to. A problem is a setting that cannot be followed. */
export function readTracingSettings(env: Env): { settings: TracingSettings | null; problem: string | null } {
  const problem = problemOf(env)
  if (!isWanted(env) || problem !== null) return { settings: null, problem: isWanted(env) ? problem : null }
  const settings: TracingSettings = {
    url: urlOf(env),
    headers: { ...readPairs(env.OTEL_EXPORTER_OTLP_HEADERS), ...readPairs(env.OTEL_EXPORTER_OTLP_TRACES_HEADERS) },
    timeout: readNumber(env.OTEL_EXPORTER_OTLP_TRACES_TIMEOUT || env.OTEL_EXPORTER_OTLP_TIMEOUT, 10_000),
    gzip: (env.OTEL_EXPORTER_OTLP_TRACES_COMPRESSION || env.OTEL_EXPORTER_OTLP_COMPRESSION) === 'gzip',
    resource: resourceOf(env),
    sampler: samplerOf(env),
    delay: readNumber(env.OTEL_BSP_SCHEDULE_DELAY, 5_000),
    batch: readNumber(env.OTEL_BSP_MAX_EXPORT_BATCH_SIZE, 512),
    queue: readNumber(env.OTEL_BSP_MAX_QUEUE_SIZE, 2_048),
  }
  return { settings, problem: null }
}

function isWanted(env: Env): boolean {
  if (env.OTEL_SDK_DISABLED?.toLowerCase() === 'true') return false
  const exporter = env.OTEL_TRACES_EXPORTER
  if (exporter) return exporter !== 'none'
  return Boolean(env.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT || env.OTEL_EXPORTER_OTLP_ENDPOINT)
}

function problemOf(env: Env): string | null {
  const exporter = env.OTEL_TRACES_EXPORTER
  if (exporter && exporter !== 'otlp') {
    return `OTEL_TRACES_EXPORTER is "${exporter}"; Beckon knows otlp and none. Nothing is traced.`
  }
  const protocol = env.OTEL_EXPORTER_OTLP_TRACES_PROTOCOL || env.OTEL_EXPORTER_OTLP_PROTOCOL
  if (protocol === 'grpc') {
    return 'OTEL_EXPORTER_OTLP_PROTOCOL is "grpc"; Beckon sends OTLP over HTTP. Set it to http/json, and the endpoint to the HTTP port of the collector (4318). Nothing is traced.'
  }
  if (/^https?:\/\//i.test(urlOf(env)) && URL.canParse(urlOf(env))) return null
  return 'OTEL_EXPORTER_OTLP_ENDPOINT must begin with http:// or https://. Nothing is traced.'
}

/** The variable for traces is the whole address; the one for everything is where /v1/traces is found. */
function urlOf(env: Env): string {
  if (env.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT) return env.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT
  const base = env.OTEL_EXPORTER_OTLP_ENDPOINT || 'http://localhost:4318'
  return `${base.replace(/\/+$/, '')}/v1/traces`
}

function resourceOf(env: Env): Record<string, string> {
  const given = readPairs(env.OTEL_RESOURCE_ATTRIBUTES)
  return { ...given, 'service.name': env.OTEL_SERVICE_NAME || given['service.name'] || 'beckon' }
}

function samplerOf(env: Env): Sampler {
  const name = env.OTEL_TRACES_SAMPLER || 'parentbased_always_on'
  const followsParent = name.startsWith('parentbased_')
  if (name.endsWith('always_off')) return { followsParent, ratio: 0 }
  if (!name.endsWith('traceidratio')) return { followsParent, ratio: 1 }
  const ratio = Number(env.OTEL_TRACES_SAMPLER_ARG || 1)
  return { followsParent, ratio: ratio >= 0 && ratio <= 1 ? ratio : 1 }
}

/** `name=value,name=value`, with values as in a URL. */
function readPairs(text = ''): Record<string, string> {
  const pairs = text.split(',').flatMap(pair => {
    const [, name, value] = /^\s*([^=\s]+)\s*=\s*(.*?)\s*$/.exec(pair) ?? []
    return name === undefined || value === undefined ? [] : [[name, decoded(value)] as const]
  })
  return Object.fromEntries(pairs)
}

function decoded(value: string): string {
  try {
    return decodeURIComponent(value)
  } catch {
    return value
  }
}

function readNumber(text: string | undefined, otherwise: number): number {
  const number = Number(text || Number.NaN)
  return number > 0 ? number : otherwise
}
