import type { Call } from '../call.ts'
import type { Arg } from '../reading/values.ts'
import type { Domain, Rule } from './rule.ts'

const deleters = ['rm', 'unlink', 'shred', 'srm', 'wipe', 'grm', 'rmtrash', 'del-files']

const isRecursive = (call: Call) => call.has('-r', '-R', '--recursive', '-d') || call.program === 'wipe'

const deleting: readonly Rule[] = [
  {
    id: 'fs/delete-root',
    program: deleters,
    operand: (arg, call) => call.pathClass(arg) === 'root',
    verdict: 'deny',
    severity: 'critical',
    reason: 'deletes everything on this machine',
    match: ['rm -rf /', 'sudo rm -rf --no-preserve-root /', 'rm -fr /*', 'bash -c "r\\m -rf //"', 'cd / && rm -rf *'],
    notMatch: ['rm -rf ./build', 'echo rm -rf /', 'rm --help /'],
  },
]

export const filesystem: Domain = {
  name: 'filesystem',
  grammar: {
    rm: {
      long: [
        '--recursive',
        '--force',
        '--no-preserve-root',
        '--preserve-root',
        '--interactive',
        '--verbose',
        '--dir',
        '--one-file-system',
        '--help',
        '--version',
      ],
    },
    shred: { values: ['-n', '--iterations', '-s', '--size', '--random-source'] },
  },
  rules: [...deleting],
}
void isRecursive

export type { Arg }
