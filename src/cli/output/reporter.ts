import type { Request } from '../../protocol/request.ts'
import { harmlessLines } from '../../text/harmless.ts'
import type { Context } from '../context.ts'
import { resumeCommand } from '../resume-command.ts'
import { type AskedBack, askedBackText } from './asked-back.ts'
import { tellNotes } from './notes.ts'
import { outcomeDocument, outcomeLines } from './outcome-document.ts'
import { print } from './print.ts'
import { printJson } from './print-json.ts'

/** How an asking command reports to its caller: `beckon …` in lines or JSON, `AskUserQuestion` in its own document. */
export interface Reporter {
  /** The prefix of every line on stderr. */
  name: string
  /** The command that waits for the request again, and does nothing else. */
  waitCommand: (request: Pick<Request, 'id'>) => string
  /** The command that carries the asker on: it waits, and does what the asker asked for. */
  resumeCommand: (request: Request) => string
  /** Printed when a wait off a terminal takes longer than two seconds. */
  announcement: (request: Pick<Request, 'id'>) => string
  /** Prints the outcome; resolves when it is written. */
  printOutcome: (context: Context, request: Request) => Promise<void>
  /** Prints what people ask back, and how to reply; resolves when it is written. */
  printMessages: (context: Context, asked: AskedBack) => Promise<void>
}

/** `command`: the words that `need` runs with the value. */
export function beckonReporter(json = false, command: readonly string[] = []): Reporter {
  return {
    name: 'beckon',
    waitCommand: ({ id }) => `beckon wait ${id}`,
    resumeCommand: request => resumeCommand(request, command),
    announcement: ({ id }) => `Waiting for a person to answer: beckon answer ${id}`,
    async printOutcome(context, request) {
      if (json) return printJson(context.stdout, outcomeDocument(request))
      await printLines(context.stdout, outcomeLines(request))
      tellNotes(context, request)
    },
    printMessages: ({ stdout }, asked) => (json ? printJson(stdout, asked) : print(stdout, askedBackText(asked))),
  }
}

/** A program gets the exact bytes; on a screen, text from agents is made harmless. */
function printLines(stdout: Context['stdout'], lines: string): Promise<void> {
  return print(stdout, stdout.isTTY ? harmlessLines(lines) : lines)
}
