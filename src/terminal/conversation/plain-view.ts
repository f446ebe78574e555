import { harmlessLines } from '../../text/harmless.ts'
import { type ConversationView, fold, maxDiffLines, maxLines } from './view.ts'

/** Gives `print` whole lines. */
export function openPlainView(print: (lines: string) => void, work: ConversationView['work']): ConversationView {
  let pending = ''
  return {
    say(text) {
      pending += text
      // Only whole lines, for screen readers.
      const end = pending.lastIndexOf('\n') + 1
      if (end > 0) print(harmlessLines(pending.slice(0, end)))
      pending = pending.slice(end)
    },
    discardReply() {
      pending = ''
    },
    endReply() {
      if (pending !== '') write(pending)
      pending = ''
    },
    begin(_, title) {
      write(`Started: ${title}`)
    },
    progress() {},
    end(_, result) {
      if (!result) return
      const { title, failed, diff, countMore } = result
      write(`${failed ? 'Failed' : 'Done'}: ${title}`)
      const lines = diff === undefined ? result.lines : diff.split('\n').slice(2)
      for (const line of fold(lines, diff === undefined ? maxLines : maxDiffLines, countMore)) write(`  ${line}`)
    },
    note: text => write(text),
    work,
  }

  function write(text: string) {
    print(`${harmlessLines(text)}\n`)
  }
}
