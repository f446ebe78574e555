import { type Argument, origins } from '../../interpret/arguments.ts'
import type { ProgramCall } from '../../program-call.ts'
import { list } from '../../word-list.ts'
import type { GuardRule } from '../rule.ts'
import { isFromFile, secretAmong } from './secret-operands.ts'

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
    id: 'secrets/shown-text',
    program: ['echo', 'printf', 'write-output'],
    when: call => call.frame.shown && (call.args.find(({ from }) => from & origins.secret) ?? false),
    severity: 'medium',
    reason: 'prints keys or passwords, and the model sees them',
    match: ['echo "$(cat .env)"', 'x=$(cat ~/.ssh/id_rsa); echo "$x"'],
    notMatch: ['echo "$HOME"', 'echo .env', 'echo "$(cat .env)" > copy.env'],
  },
]

function secretReadBy(call: ProgramCall): boolean | Argument {
  return secretAmong(call.operands, call) ?? (call.operands.length === 0 && isFromFile(call))
}
