import { type Argument, origins } from '../../interpret/arguments.ts'
import { absolute } from '../../paths.ts'
import type { ProgramCall } from '../../program-call.ts'
import { isSecretPath } from '../../secret-paths.ts'
import { list } from '../../word-list.ts'
import type { GuardRule } from '../rule.ts'

/** Programs that print a file as it is. */
const viewers = list(
  'cat bat batcat less more most head tail tac nl strings xxd od hexdump hd base64 base32 view pr fold rev get-content type',
)

/** Printing secrets: the model sees what the agent sees, and so does anyone who stores its transcripts. */
export const printingRules: readonly GuardRule[] = [
  {
    id: 'secrets/shown',
    program: viewers,
    when: call => call.frame.shown && secretReadBy(call),
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
    when: call => call.frame.shown && printsValues(call) && secretReadBy(call),
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

/** Whether a filter passes everything on, or the values. */
function printsValues({ program, operands, args }: ProgramCall): boolean {
  const pattern = operands[0]?.value ?? ''
  if (/^g?sed$/.test(program)) return /^(p|\$?p|s\/\^?\/.*\/|)$/.test(pattern)
  if (/grep$|^rg$/.test(program)) return /^(\.\*?|\^|\$|=|)$/.test(pattern)
  if (/awk$/.test(program)) return /^\s*(1|\{\s*print(\s+\$[02])?\s*;?\s*\})\s*$/.test(pattern)
  // The first field holds only the names.
  return !(program === 'cut' && args.some(({ value }) => value === '-f1'))
}

function secretReadBy(call: ProgramCall): boolean | Argument {
  const named = call.operands.find(arg => {
    const path = absolute(arg.value, call.cwd) ?? arg.value
    if (!isSecretPath(path) || /(^|\/)sudoers$/.test(path)) return false
    // A project's own .npmrc is meant to be read; the one in the home folder holds tokens.
    return !(/(^|\/)\.npmrc$/.test(path) && call.pathClass(arg) === 'workspace')
  })
  return named ?? (call.operands.length === 0 && isFromFile(call))
}

/** Whether stdin is a secret file: `base64 < .env`, but not `env | less`. */
function isFromFile({ stdin, frame }: ProgramCall): boolean {
  return Boolean(stdin.from & origins.secret) && frame.scope.stdin !== stdin
}
