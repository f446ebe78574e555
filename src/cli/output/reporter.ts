import type { Request } from '../../protocol/request.ts'
import { harmlessLines } from '../../text/harmless.ts'
import type { Context } from '../context.ts'
import { outcomeDocument, outcomeLines } from './outcome-document.ts'
import { print } from './print.ts'
import { printJson } from './print-json.ts'

/** How an asking command speaks to its caller: `beckon …` in lines or JSON, `AskUserQuestion` in its own document. */
export interface Reporter {
  /** What stands before everything it says on stderr. */
  name: string
  /** The command that picks the wait up again. */
  waitCommand: (request: Pick<Request, 'id'>) => string
  /** Said when a wait off a terminal takes longer than a moment. */
  announcement: (request: Pick<Request, 'id'>) => string
  /** Prints what was decided; resolves when it is written. */
  printOutcome: (context: Context, request: Request) => Promise<void>
}

export function beckonReporter(json = false): Reporter {
  return {
    name: 'beckon',
    waitCommand: ({ id }) => `beckon wait ${id}`,
    announcement: ({ id }) => `waiting for a person; they answer with: beckon answer ${id}`,
    printOutcome: ({ stdout }, request) =>
      json ? printJson(stdout, outcomeDocument(request)) : printLines(stdout, outcomeLines(request)),
  }
}

/** A program gets the very bytes; on a screen, labels that an agent wrote are made harmless. */
function printLines(stdout: Context['stdout'], lines: string): Promise<void> {
  return print(stdout, stdout.isTTY ? harmlessLines(lines) : lines)
}
