import { createRedactor } from './redact.ts'

/** Keeps the secrets that an agent was given out of its requests, as people see them and as they are stored. */
export interface Hiding {
  add(secret: string): void
  /** A copy with `[redacted]` for every secret in every text. */
  hide<T>(value: T): T
}

// Shorter secrets are often words, such as "main", without which a question could not be understood.
const minimum = 8

export function createHiding(): Hiding {
  const redactor = createRedactor()
  return { add, hide }

  function add(secret: string) {
    if (Buffer.byteLength(secret) >= minimum) redactor.add(secret)
  }

  function hide<T>(value: T): T {
    return hideIn(value) as T
  }

  function hideIn(value: unknown): unknown {
    if (typeof value === 'string') return hideInText(value)
    if (Array.isArray(value)) return value.map(hideIn)
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, hideIn(inner)]))
  }

  function hideInText(text: string): string {
    return Buffer.concat([redactor.push(Buffer.from(text)), redactor.end()]).toString()
  }
}
