import { harmlessJson } from '../../text/harmless.ts'
import { print } from './print.ts'

/** One JSON document and a newline; what an agent wrote in it cannot disturb a terminal. */
export function printJson(stream: NodeJS.WritableStream, value: unknown): Promise<void> {
  return print(stream, `${harmlessJson(value)}\n`)
}
