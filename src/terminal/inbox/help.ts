import { type Line, line } from '../../text/styled.ts'
import { wrap } from '../../text/wrap.ts'
import { signs } from './row.ts'

const keys: readonly (readonly [string, string])[] = [
  ['↑ ↓ j k', 'move'],
  ['PgUp PgDn', 'move by ten'],
  ['Home End', 'move to the first or last'],
  ['Enter', 'open the request to read it in full and answer it'],
  ['s', 'skip the request, if it is optional; asks for confirmation'],
  ['d', 'decline the request, with a reason'],
  ['c', 'ask the agent back; the request stays open'],
  ['l', 'answer the same as last time; asks for confirmation'],
  ['z', 'snooze the request: hide it from your inbox for a while'],
  ['Z', 'show what is snoozed, or what waits'],
  ['/', 'show only requests that contain these words'],
  ['r', 'reload the list'],
  ['q Esc ^C', 'quit; all requests stay open'],
]

const signMeanings: readonly (readonly [string, string])[] = [
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
