import type { Grammars } from '../rule.ts'

export const interpreterGrammar: Grammars = {
  gdb: { words: true, values: ['-p', '-pid', '-ex', '-eval-command', '-x', '-command', '-iex', '-batch-silent'] },
  lldb: { values: ['-p', '--attach-pid', '-o', '--one-line', '-n', '--attach-name'] },
  emacs: { values: ['--eval', '-eval', '-l', '--load', '-f', '--funcall'] },
  osascript: { values: ['-e', '-l'] },
  expect: { values: ['-c'] },
}
