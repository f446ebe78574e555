import type { ProgramCall } from '../program-call.ts'
import { list } from '../word-list.ts'
import { fileKey } from './files.ts'
import type { Stream } from './streams.ts'

const mostFiles = 8

/** Notes which files a filter read, so that writing to one of them at the end of the pipe is noticed. */
export function withSources(written: Stream, call: ProgramCall): Stream {
  const isWhole = whole.has(call.program)
  if (!isWhole && !shortening.has(call.program)) return written
  const { sources: before, file } = call.stdin
  const named = call.operands.slice(-mostFiles).filter(({ value }) => /[/.~]/.test(value))
  const names = [...named.map(({ value }) => value), ...(file === undefined ? [] : [file])]
  const files = [...(before?.files ?? []), ...names.map(name => fileKey(name, call.cwd))].slice(-mostFiles)
  if (files.length === 0) return written
  return { ...written, sources: { files, areShortened: !isWhole || (before?.areShortened ?? false) } }
}

/** Filters that keep all of what they read, in some order or form. */
const whole = new Set(
  list('cat tac rev nl sort gsort shuf expand unexpand fold fmt pr column paste tee pv base64 iconv prettier jsonlint'),
)
const shortening = new Set(
  list(
    'grep egrep fgrep ggrep rg ag ack sed gsed awk gawk mawk nawk head tail cut uniq comm join tr jq yq gojq dasel xq xmllint perl python3 ruby csvcut mlr xsv qsv ugrep strings',
  ),
)
