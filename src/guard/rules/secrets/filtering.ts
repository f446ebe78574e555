import type { Argument } from '../../interpret/arguments.ts'
import type { ProgramCall } from '../../program-call.ts'
import { list } from '../../word-list.ts'
import type { GuardRule } from '../rule.ts'
import { keyStoreAmong, secretAmong, stdinFile } from './secret-operands.ts'

const searchers = list('grep egrep fgrep rg ag ack ugrep')
const programmed = list('sed gsed awk gawk mawk nawk jq yq xq gron dasel')
const wholeFiles = list(
  'cut column paste sort uniq diff colordiff cmp sdiff comm join iconv zcat gzcat expand fmt csplit mlr',
)

/** Printing parts of secrets. */
export const filteringRules: readonly GuardRule[] = [
  {
    id: 'secrets/shown-filtered',
    program: [...searchers, ...programmed, ...wholeFiles, 'tr'],
    when: call => call.frame.shown && !printsNoValues(call) && (secretPrintedBy(call) ?? false),
    severity: 'medium',
    reason: 'prints keys or passwords, and the model sees them',
    match: [
      "sed '' .env",
      'awk 1 .env',
      "grep '' ~/.netrc",
      'cut -d= -f2 .env',
      'sort ~/.aws/credentials',
      "grep -A2 '\\[default\\]' ~/.aws/credentials",
      'grep -i secret ~/.aws/credentials',
      'cat ~/.aws/credentials | grep -A2 default',
      'grep API_KEY .env',
      "sudo sed -n '1,5p' /etc/shadow",
      "awk '/_authToken/ {print $0}' ~/.npmrc",
      "jq -r '.auths[].auth' ~/.docker/config.json",
      'diff /dev/null ~/.kube/config',
      "tr '\\0' '\\n' < /proc/123/environ",
    ],
    notMatch: [
      'grep PORT .env',
      "sed -i 's/a/b/' .env",
      'grep -c = .env',
      'cut -d= -f1 .env',
      "awk '{print $1}' data.csv",
      "grep '^\\[' ~/.aws/credentials",
      'grep registry ~/.npmrc',
      'grep -q _authToken ~/.npmrc',
      "jq '.auths | keys' ~/.docker/config.json",
      "yq '.current-context' ~/.kube/config",
      'diff .env .env.example',
      'tr a-z A-Z < notes.txt',
    ],
  },
]

function secretPrintedBy(call: ProgramCall): Argument | undefined {
  const [pattern, files] = patternAndFiles(call)
  const named = files.length > 0 ? files : stdinFile(call)
  if (call.program === 'tr') return secretAmong(named, call)
  if (isWholeFile.has(call.program) && !/^(cut|column|paste|sort|uniq)$/.test(call.program))
    return keyStoreAmong(named, call)
  if (printsValues(call, pattern)) return secretAmong(named, call)
  return asksForNames(pattern, call) ? undefined : keyStoreAmong(named, call)
}

const isWholeFile = new Set(wholeFiles)

function patternAndFiles(call: ProgramCall): [string, readonly Argument[]] {
  const { operands, program } = call
  if (program === 'tr') return ['', []]
  if (isWholeFile.has(program)) return ['', operands]
  const given = call.value('-e', '--regexp', '--expression', '-f', '--file')
  return given ? [given.value, operands] : [operands[0]?.value ?? '', operands.slice(1)]
}

/** Only counts, names of files, or changes in place. */
function printsNoValues(call: ProgramCall): boolean {
  if (searchers.includes(call.program))
    return call.has('-c', '--count', '-q', '--quiet', '--silent', '-l', '--files-with-matches', '-L')
  if (/^g?sed$/.test(call.program)) return call.has('-i', '--in-place')
  return /^(diff|cmp)$/.test(call.program) && call.has('-q', '--brief', '-s', '--quiet', '--silent')
}

/** Whether a filter passes everything on, or the values. */
function printsValues(call: ProgramCall, pattern: string): boolean {
  const { program, args } = call
  if (/^g?sed$/.test(program)) return /^(p|\$?p|[\d,$]+p|s\/\^?\/.*\/|)$/.test(pattern)
  if (searchers.includes(program)) {
    if (/^(\.\*?|\^|\$|=|)$/.test(pattern)) return true
    return (
      /secret|passw|token|api_?key|_key\b|private|credential/i.test(pattern) && !call.has('-o', '--only-matching', '-v')
    )
  }
  if (/awk$/.test(program)) return /^\s*(1|\{\s*print(\s+\$[02])?\s*;?\s*\})\s*$/.test(pattern)
  if (programmed.includes(program)) return false
  // The first field holds only the names.
  return !(program === 'cut' && args.some(({ value }) => value === '-f1'))
}

/** Whether a pattern finds the names and settings in a file of keys, not the keys. */
function asksForNames(pattern: string, call: ProgramCall): boolean {
  if (/secret|passw|token|auth|key-data|private|credential/i.test(pattern) && !/\bkeys\b/.test(pattern)) return false
  if (call.parsed.options.some(({ name }) => /^(-[ABC]|--(after|before)-context|--context)$/.test(name))) return false
  return /^\W*(registry|region|hosts?|machine|server|current-context|contexts?|clusters?|namespace|prefix|email|profile|output|name)\b|\b(keys|length)\b|^\^?\\\[/i.test(
    pattern,
  )
}
