import { type Line, line } from '../../text/styled.ts'
import { wrap } from '../../text/wrap.ts'
import { marks, signs } from './row.ts'

/** All keys of the list, in the words of docs/inbox.md. */
export const keys: readonly (readonly [string, string])[] = [
  ['↑ ↓ j k', 'move; also PgUp, PgDn, Home, End'],
  ['n', 'move to the next new request'],
  ['Enter', 'open the request to read it in full and answer it'],
  ['1–9 0', 'answer with this option, or with a text of your own; asks for confirmation'],
  ['s', 'skip the request, if it is optional; asks for confirmation'],
  ['d', 'decline, with a reason'],
  ['c', 'ask the agent back; the request stays open'],
  ['l', 'answer the same as last time; asks for confirmation'],
  ['z', 'snooze: hide the request from your inbox for a while'],
  ['Z', 'show what is snoozed, or what waits'],
  ['Space', 'select several, to answer, decline or snooze them together'],
  ['a', 'select everything that asks the same'],
  ['/', 'show only requests that contain these words'],
  ['f', 'show only a project, an agent or a kind'],
  ['r', 'reload the list'],
  ['?', 'all keys and symbols'],
  ['Esc', 'select none; then show everything; then quit'],
  ['q ^C', 'quit; all requests stay open'],
]

const signMeanings: readonly (readonly [string, string])[] = [
  [marks.new, 'new: it came while the list was open'],
  [marks.marked, 'selected'],
  ['!!  !', 'a critical or highly dangerous action'],
  [signs.approval, 'another action to approve'],
  [signs.question, 'a question'],
  [signs.dependency, 'something an agent needs: a key, a file, a permission'],
  [signs.review, 'a finished phase to review'],
]

export function help(columns: number): Line[] {
  return [...table(keys, columns), line(''), ...table(signMeanings, columns)]
}

function table(pairs: typeof keys, columns: number): Line[] {
  return pairs.flatMap(([name, meaning]) =>
    wrap([...line(`  ${name.padEnd(11)}`, 'cyan'), ...line(meaning)], columns, 13),
  )
}
