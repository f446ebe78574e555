import { type DestinationStream, type Logger, pino } from 'pino'

/** Routes never log a body, a header, or an address with its query. */
export type Log = Pick<Logger, 'debug' | 'info' | 'warn' | 'error'>

export type LogLevel = 'debug' | 'info' | 'warn' | 'error' | 'silent'

/** One line of JSON per entry, on stderr. */
export function createLog(level: LogLevel, stream: DestinationStream = pino.destination({ dest: 2, sync: true })): Log {
  return pino(
    {
      level,
      base: null,
      timestamp: () => `,"time":"${new Date().toISOString()}"`,
      serializers: { error: describe },
    },
    stream,
  )
}

function describe(error: unknown) {
  if (!(error instanceof Error)) return { message: String(error) }
  const code = 'code' in error ? { code: error.code } : {}
  return {
    ...code,
    message: error.message,
    stack: error.stack
      ?.split('\n')
      .slice(1, 8)
      .map(line => line.trim()),
  }
}
