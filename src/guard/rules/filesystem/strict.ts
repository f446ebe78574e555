import type { GuardRule } from '../rule.ts'
import { deleters, isRecursive } from './deleting.ts'

/** What is asked about only where the guard is strict. */
export const strictRules: readonly GuardRule[] = [
  {
    id: 'fs/delete-strict',
    program: deleters,
    strict: true,
    operand: (_, call) => isRecursive(call) || call.walksTree || call.has('-f', '--force'),
    severity: 'low',
    reason: 'deletes recursively or by force, and the guard is strict',
    match: [
      'rm -rf node_modules',
      'rm -f a.txt',
      'rm -r dist',
      'npx rimraf dist',
      'rm -rf /tmp/x',
      "find . -name '*.pyc' -delete",
      'ls | xargs rm',
      `node -e 'fs.rmSync("dist", { recursive: true })'`,
    ],
    notMatch: ['rm a.txt', 'ls -rf', 'rm -rf --help', 'echo rm -rf dist', 'git rm --cached a'],
  },
  {
    id: 'fs/remove-tracked-strict',
    program: 'git',
    sub: 'rm',
    strict: true,
    any: ['-r', '-f', '--force'],
    none: ['--cached', '-n'],
    severity: 'low',
    reason: 'deletes recursively or by force, and the guard is strict',
    match: ['git rm -r old', 'git rm -f a.txt'],
    notMatch: ['git rm a.txt', 'git rm -r --cached old', 'git rm -rn old'],
  },
]
