import { type Line, line } from '../../text/styled.ts'
import { wrap } from '../../text/wrap.ts'
import { signs } from './row.ts'

const keys: readonly (readonly [string, string])[] = [
  ['↑ ↓ j k', 'move'],
  ['PgUp PgDn', 'move by ten'],
  ['Home End', 'to the first, to the last'],
  ['Enter', 'open it: read all of it, answer, add a note'],
  ['s', 'skip it, where it is optional; asks once more'],
  ['d', 'decline it, with a reason'],
  ['/', 'show only what has these words'],
  ['r', 'look at everything again'],
  ['q Esc ^C', 'leave; everything stays open'],
]

const meanings: readonly (readonly [string, string])[] = [
  ['!!  !', 'a critical, a highly dangerous action'],
  [signs.approval, 'another action to approve'],
  [signs.question, 'a question'],
  [signs.dependency, 'something it needs: a key, a file, a permission'],
  [signs.review, 'a finished phase to review'],
]

export function help(columns: number): Line[] {
  return [...table(keys, columns), line(''), ...table(meanings, columns)]
}

function table(pairs: typeof keys, columns: number): Line[] {
  return pairs.flatMap(([name, meaning]) =>
    wrap([...line(`  ${name.padEnd(11)}`, 'cyan'), ...line(meaning)], columns, 13),
  )
}
