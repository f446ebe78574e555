import { type Argument, origins } from '../../interpret/arguments.ts'
import { absolute } from '../../paths.ts'
import type { ProgramCall } from '../../program-call.ts'
import { isSecretPath } from '../../secret-paths.ts'
import { list } from '../../word-list.ts'
import type { Rule } from '../rule.ts'

/** Programs that show a file as it is. */
const viewers = list(
  'cat bat batcat less more most head tail tac nl strings xxd od hexdump hd base64 base32 view pr fold rev get-content type',
)

/** What an agent sees, its model sees, and whoever keeps the model's transcripts. */
export const printingRules: readonly Rule[] = [
  {
    id: 'secrets/shown',
    program: viewers,
    when: call => call.frame.shown && secretIn(call),
    severity: 'medium',
    reason: 'prints keys or passwords, and the model sees them',
    safer: 'grep -c = .env',
    match: [
      'cat .env',
      'sudo cat /etc/shadow',
      'head -5 ~/.aws/credentials',
      'cd ~/.ssh && cat id_rsa',
      'cat ~/.ssh/id_rsa | head',
      'base64 < .env',
    ],
    notMatch: [
      'cat .env.example',
      'cat ~/.ssh/id_rsa.pub',
      'export $(cat .env | xargs)',
      'cat .env | grep -c =',
      'cat .env > /dev/null',
      'cat .npmrc',
    ],
  },
  {
    id: 'secrets/shown-filtered',
    program: ['sed', 'gsed', 'grep', 'egrep', 'rg', 'cut', 'awk', 'gawk', 'column', 'paste', 'tr', 'sort', 'uniq'],
    none: ['-i', '--in-place', '-c', '--count', '-q', '--quiet', '-l', '--files-with-matches'],
    when: call => call.frame.shown && takesAll(call) && secretIn(call),
    severity: 'medium',
    reason: 'prints keys or passwords, and the model sees them',
    match: ["sed '' .env", 'awk 1 .env', "grep '' ~/.netrc", 'cut -d= -f2 .env', 'sort ~/.aws/credentials'],
    notMatch: [
      'grep PORT .env',
      "sed -i 's/a/b/' .env",
      'grep -c = .env',
      'cut -d= -f1 .env',
      "awk '{print $1}' data.csv",
    ],
  },
  {
    id: 'secrets/shown-text',
    program: ['echo', 'printf', 'write-output'],
    when: call => call.frame.shown && (call.args.find(({ from }) => from & origins.secret) ?? false),
    severity: 'medium',
    reason: 'prints keys or passwords, and the model sees them',
    match: ['echo "$(cat .env)"', 'x=$(cat ~/.ssh/id_rsa); echo "$x"'],
    notMatch: ['echo "$HOME"', 'echo .env', 'echo "$(cat .env)" > copy.env'],
  },
]

/** A filter that lets everything through, or what is behind the names. */
function takesAll({ program, operands, args }: ProgramCall): boolean {
  const pattern = operands[0]?.value ?? ''
  if (/^g?sed$/.test(program)) return /^(p|\$?p|s\/\^?\/.*\/|)$/.test(pattern)
  if (/grep$|^rg$/.test(program)) return /^(\.\*?|\^|\$|=|)$/.test(pattern)
  if (/awk$/.test(program)) return /^\s*(1|\{\s*print(\s+\$[02])?\s*;?\s*\})\s*$/.test(pattern)
  // The first field is the name.
  return !(program === 'cut' && args.some(({ value }) => value === '-f1'))
}

function secretIn(call: ProgramCall): boolean | Argument {
  const named = call.operands.find(arg => {
    const path = absolute(arg.value, call.cwd) ?? arg.value
    if (!isSecretPath(path) || /(^|\/)sudoers$/.test(path)) return false
    // A project's own settings of a tool are there to be read; those in the home folder have tokens.
    return !(/(^|\/)\.npmrc$/.test(path) && call.pathClass(arg) === 'workspace')
  })
  return named ?? (call.operands.length === 0 && isFromFile(call))
}

/** `env | less` is everyday; `base64 < .env` is not. */
function isFromFile({ stdin, frame }: ProgramCall): boolean {
  return Boolean(stdin.from & origins.secret) && frame.scope.stdin !== stdin
}
