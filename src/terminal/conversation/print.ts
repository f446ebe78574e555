import type { Request } from '../../protocol/request.ts'
import { harmlessLines } from '../../text/harmless.ts'
import { line } from '../../text/styled.ts'
import { describeRequest, isLongReading } from '../describe-request.ts'
import { editorOf } from '../editor.ts'
import { settledLine } from '../settled-line.ts'
import { columnsOf, type Terminal } from '../terminal.ts'
import type { Transcript } from './transcript.ts'
import type { ConversationView } from './view.ts'

/** Prints what nobody wrote or decided on this screen as if they had: what happened in an earlier process. */
export interface Printer {
  message(text: string): void
  /** `here` is false if somebody decided it elsewhere. */
  decision(request: Request, options: { here: boolean }): void
}

export function printInTranscript(terminal: Terminal, transcript: Transcript): Printer {
  return {
    message: text => transcript.echo(editorOf(text)),
    decision(request, options) {
      const columns = columnsOf(terminal)
      const reading = isLongReading(request) ? [...describeRequest(request, columns), line('')] : []
      transcript.decide(settledLine(request, columns, options), reading)
    },
  }
}

export function printInLines(terminal: Terminal, view: ConversationView): Printer {
  return {
    message: text => view.note(`> ${harmlessLines(text).trimEnd().replaceAll('\n', '\n  ')}`),
    decision(request, options) {
      const rows = settledLine(request, columnsOf(terminal), options)
      view.note(rows.map(row => row.map(({ text }) => text).join('')).join('\n'))
    },
  }
}
