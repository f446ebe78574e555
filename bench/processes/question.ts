import type { AskInput } from '../../src/protocol/index.ts'

const context = 'The service keeps orders and their history. Writes are few, reads are many. '.repeat(4)

/** A unique question that takes about 600 bytes in the database. */
export function question(n: number | string): AskInput {
  return {
    questions: [{ question: `Which database should service ${n} use in production?`, header: 'Database' }],
    context,
  }
}
