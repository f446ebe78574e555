import { beckonHome } from '../beckon-files.ts'
import type { Analysis } from './analysis.ts'
import { unknownText } from './arguments.ts'
import type { Scope } from './scope.ts'

/** The value of a variable that the command itself does not set; undefined if it is unknown. */
export function inheritedValue(name: string, analysis: Analysis, scope: Scope): string | undefined {
  return (
    wellKnown(name, analysis, scope) ?? (scope.isRemote ? undefined : harmlessValue(name, analysis.context.env[name]))
  )
}

/** Passes on only paths and plain words: segments are shown and stored, so they must not contain tokens. */
function harmlessValue(name: string, value: string | undefined): string | undefined {
  if (value === undefined || secretName.test(name)) return undefined
  return value === '' || /^(\/|~|\.{1,2}\/)[^\s:@]*$|^[a-z][a-z_.-]{0,20}$/.test(value) ? value : undefined
}

const secretName = /key|token|secret|pass|cred|auth|private|session|cookie|dsn|url/i

function wellKnown(name: string, analysis: Analysis, scope: Scope): string | undefined {
  switch (name) {
    case 'HOME':
    case 'USERPROFILE':
      return analysis.context.home
    case 'BECKON_HOME':
      return beckonHome(analysis.context)
    case 'PWD':
      return scope.cwd ?? unknownText
    case 'OLDPWD':
      return scope.oldCwd ?? unknownText
    case 'IFS':
      return ' '
    case 'TMPDIR':
    case 'RUNNER_TEMP':
      return '/tmp/tmpdir'
    case 'GITHUB_WORKSPACE':
    case 'CI_PROJECT_DIR':
      return analysis.context.workspace
    case 'SHELL':
    case 'BASH':
      return '/bin/bash'
    case 'EDITOR':
    case 'VISUAL':
    case 'GIT_EDITOR':
      return 'vi'
    case 'PAGER':
    case 'GIT_PAGER':
    case 'MANPAGER':
      return 'less'
    case 'PYTHON':
      return 'python3'
    case 'PIP':
      return 'pip'
    case 'NODE':
    case 'NPM':
    case 'NPX':
    case 'GO':
    case 'CARGO':
    case 'MAKE':
    case 'CMAKE':
    case 'DOCKER':
    case 'KUBECTL':
    case 'GIT':
    case 'SUDO':
    case 'CC':
    case 'BROWSER':
      return name.toLowerCase()
    case 'CXX':
      return 'c++'
    case '$':
    case 'RANDOM':
    case 'UID':
    case '!':
      return unknownText
    default:
      return undefined
  }
}
