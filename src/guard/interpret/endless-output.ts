import type { ProgramCall } from '../program-call.ts'
import { list } from '../word-list.ts'
import type { Analysis, Frame } from './analysis.ts'
import type { Stream } from './streams.ts'

/** Devices that never come to an end. */
export function isEndlessFile(path: string): boolean {
  return /^\/dev\/(zero|u?random|full)$/.test(path)
}

/** Marks what a program writes as endless: `yes`, and whatever passes on all of an endless input. */
export function markEndless(written: Stream, call: ProgramCall): Stream {
  if (written.endless) return endsEarly(call) ? { ...written, endless: false } : written
  const isEndless =
    call.program === 'yes' ||
    (call.program === 'dd' && copiesEndlessly(call)) ||
    (passing.has(call.program) &&
      !endsEarly(call) &&
      (call.stdin.endless === true || call.args.some(({ value }) => isEndlessFile(value))))
  return isEndless ? { ...written, endless: true } : written
}

function copiesEndlessly({ args }: ProgramCall): boolean {
  const isLimited = args.some(({ value }) => /^(?:count|of)=/.test(value))
  return !isLimited && args.some(({ value }) => value.startsWith('if=') && isEndlessFile(value.slice(3)))
}

/** `x=$(yes)` never gets its value. */
export function reportEndlessValue({ span }: Frame, analysis: Analysis): void {
  analysis.report({
    rule: 'system/exhaustion',
    message: 'uses up processes, memory or disk space without end',
    span,
    verdict: 'ask',
    severity: 'high',
    safer: null,
  })
}

const passing = new Set(
  list(
    'cat tac tail tr base64 base32 xxd od hexdump rev nl fold cut gzip bzip2 xz zstd pv tee strings paste expand openssl sort uniq column',
  ),
)

/** `head`, `xxd -l 16`, `od -N 4`, `grep -m 1`. */
function endsEarly({ program, args }: ProgramCall): boolean {
  return (
    program === 'head' ||
    (program !== 'cat' &&
      args.some(({ value }) => /^(-[a-zA-Z]*[lNnmSs]\d*|--(length|read-bytes|max-count|size)\b.*)$/.test(value)))
  )
}
