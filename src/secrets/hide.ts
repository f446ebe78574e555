import { createRedactor } from './redact.ts'

/** The secrets that an agent was given, kept out of what it says to people and what is stored of that. */
export interface Hiding {
  add(secret: string): void
  /** The same, with `[redacted]` for every secret in every text of it. */
  hide<T>(said: T): T
}

// Shorter ones are often words, such as "main", and a person could not read a question without them.
const minimum = 8

export function createHiding(): Hiding {
  const redactor = createRedactor()
  return { add, hide }

  function add(secret: string) {
    if (Buffer.byteLength(secret) >= minimum) redactor.add(secret)
  }

  function hide<T>(said: T): T {
    return hideIn(said) as T
  }

  function hideIn(said: unknown): unknown {
    if (typeof said === 'string') return hideInText(said)
    if (Array.isArray(said)) return said.map(hideIn)
    if (typeof said !== 'object' || said === null) return said
    return Object.fromEntries(Object.entries(said).map(([name, value]) => [name, hideIn(value)]))
  }

  function hideInText(text: string): string {
    return Buffer.concat([redactor.push(Buffer.from(text)), redactor.end()]).toString()
  }
}
