import type { Argument } from '../../interpret/arguments.ts'
import type { ProgramCall } from '../../program-call.ts'
import { isSecretPath } from '../../secret-paths.ts'
import { list } from '../../word-list.ts'
import type { GuardRule } from '../rule.ts'
import { keyStoreAmong, secretAmong } from './secret-operands.ts'

/** Programs that print files, although they are for something else. */
export const oddReaderRules: readonly GuardRule[] = [
  {
    id: 'secrets/shown-by-others',
    program: list('perl ruby node nodejs bun curl wget git'),
    when: call => call.frame.shown && (secretShownBy(call) ?? false),
    severity: 'medium',
    reason: 'prints keys or passwords, and the model sees them',
    match: [
      "perl -ne 'print' ~/.ssh/id_rsa",
      "ruby -pe '' .env",
      `node -p "require('fs').readFileSync('/home/me/.ssh/id_rsa', 'utf8')"`,
      'curl -s file:///home/me/.aws/credentials',
      'git diff --no-index /dev/null ~/.ssh/id_rsa',
    ],
    notMatch: [
      "perl -pi -e 's/a/b/' .env",
      "perl -ne 'print' notes.txt",
      `node -p "require('./package.json').version"`,
      'curl -I https://example.com/.env',
      'git diff --no-index a.txt b.txt',
      'git diff .env.example',
    ],
  },
]

function secretShownBy(call: ProgramCall): Argument | undefined {
  const { program, args, operands } = call
  switch (program) {
    case 'perl':
    case 'ruby': {
      const filters = args.some(({ value }) => /^-[a-zA-Z0-9]*[np]/.test(value))
      return filters && !args.some(({ value }) => /^-[a-zA-Z0]*i/.test(value)) ? secretAmong(args, call) : undefined
    }
    case 'curl':
    case 'wget': {
      const files = operands.filter(({ value }) => /^file:\/\//i.test(value))
      return secretAmong(
        files.map(arg => ({ ...arg, value: arg.value.slice('file://'.length) })),
        call,
      )
    }
    case 'git': {
      const reads = (call.isSub('diff') && call.has('--no-index')) || call.isSub('hash-object')
      return reads ? keyStoreAmong(operands.slice(1), call) : undefined
    }
    default: {
      const at = args.findIndex(({ value }) => /^(-p|--print|-pe)$/.test(value))
      const code = at < 0 ? undefined : args[at + 1]
      return code && /readFile|Bun\.file/.test(code.value) && namesSecret(code.value) ? code : undefined
    }
  }
}

function namesSecret(code: string): boolean {
  return code.split(/['"`]/).some(text => !/\s/.test(text) && isSecretPath(text))
}
