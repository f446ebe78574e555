import { type Argument, literal, origins } from '../../interpret/arguments.ts'
import { absolute } from '../../paths.ts'
import type { ProgramCall } from '../../program-call.ts'
import { isSecretPath } from '../../secret-paths.ts'

/** The first of these files that holds keys or passwords. */
export function secretAmong(files: readonly Argument[], call: ProgramCall): Argument | undefined {
  return files.find(arg => {
    const path = absolute(arg.value, call.cwd) ?? arg.value
    if (!isSecretPath(path) || /(^|\/)sudoers$/.test(path)) return false
    // A project's own .npmrc is meant to be read; the one in the home folder holds tokens.
    return !(/(^|\/)\.npmrc$/.test(path) && call.pathClass(arg) === 'workspace')
  })
}

/** The first of these files that holds keys or passwords and does not belong to the work. */
export function keyStoreAmong(files: readonly Argument[], call: ProgramCall): Argument | undefined {
  return secretAmong(
    files.filter(arg => !['workspace', 'build', 'tmp'].includes(call.pathClass(arg))),
    call,
  )
}

/** The file that stdin is: `x < FILE`, `cat FILE | x`. */
export function stdinFile({ stdin, frame }: ProgramCall): Argument[] {
  return stdin.file === undefined ? [] : [literal(stdin.file, frame.span)]
}

/** Whether stdin is a secret file: `base64 < .env`, but not `env | less`. */
export function isFromFile({ stdin, frame }: ProgramCall): boolean {
  return Boolean(stdin.from & origins.secret) && frame.scope.stdin !== stdin
}

/** The value of an option that is one whole word, as in `openssl rsa -in FILE`. */
export function wordAfter({ args }: ProgramCall, ...names: readonly string[]): Argument | undefined {
  const at = args.findIndex(({ value }) => names.includes(value))
  return at < 0 ? undefined : args[at + 1]
}
