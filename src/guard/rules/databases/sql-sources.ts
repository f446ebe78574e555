import { type Argument, literal } from '../../interpret/arguments.ts'
import { fileStream } from '../../interpret/files.ts'
import type { ProgramCall } from '../../program-call.ts'
import { list } from '../../word-list.ts'
import { firstWords } from '../first-words.ts'

export const fileOptions = ['-f', '--file', '--queries-file', '-i', '-init', '--input-file']

// Tools for whom SQL is one thing among many, and whose short options mean something else.
const alsoOtherThings = new Set(list('fly flyctl railway supabase render wp drush console n98-magerun2 typeorm'))
const sqlOptions = list('-c --command -e --execute --eval -Q -q --query -cmd --cmd --sql --statement -s -execute')

/** The SQL that a client would send: from its options, its operands and stdin. */
export function sqlOf(call: ProgramCall): Argument[] {
  const given = call.values(...(alsoOtherThings.has(call.program) ? ['--sql'] : sqlOptions))
  const files = call.values(...fileOptions).flatMap(file => writtenIn(file, call))
  const stdin = call.stdin.text ? [literal(call.stdin.text, call.frame.span)] : []
  return [...given, ...files, ...operandsOf(call), ...stdin]
}

/** What this command itself wrote into a file earlier. */
function writtenIn(file: Argument, { frame }: ProgramCall): Argument[] {
  const { text } = fileStream(file, frame.scope)
  return text ? [literal(text, file.span)] : []
}

/** SQL among the operands: after the file, or after a subcommand. */
function operandsOf(call: ProgramCall): readonly Argument[] {
  switch (call.program) {
    case 'sqlite3':
    case 'sqlite':
    case 'litecli':
    case 'duckdb':
      // A database in memory is disposable.
      return call.operands[0]?.value === ':memory:' ? [] : call.operands.slice(1)
    case 'typeorm':
    case 'wp':
    case 'drush':
    case 'console':
    case 'n98-magerun2':
      return /^(db )?(query|sqlq|sql[:-]query|doctrine:query:sql|dbal:run-sql|db:query)\b/.test(firstWords(call, 2))
        ? call.after(1)
        : []
    case 'bq':
    case 'dolt':
    case 'turso':
    case 'edgedb':
    case 'gel':
      return call.after(1)
    default:
      return []
  }
}
