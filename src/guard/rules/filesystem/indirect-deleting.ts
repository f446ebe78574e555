import { type Argument, unknownText } from '../../interpret/arguments.ts'
import type { ProgramCall } from '../../program-call.ts'
import { isSecretPath } from '../../secret-paths.ts'
import type { GuardRule } from '../rule.ts'

/** Losing files in other ways: truncating, mirroring, archiving and moving. */
export const indirectDeletingRules: readonly GuardRule[] = [
  {
    id: 'fs/truncate',
    program: 'truncate',
    operandIn: ['system', 'outside', 'home', 'git', 'device', 'dynamic'],
    option: { '-s --size': /^[0-9]+$/ },
    severity: 'high',
    reason: 'truncates files outside the workspace',
    match: ['truncate -s 0 /var/log/syslog', 'truncate --size=0 ~/notes.md'],
    notMatch: ['truncate -s 0 app.log', 'truncate -s +1M disk.img'],
  },
  {
    id: 'fs/rsync-delete',
    program: 'rsync',
    none: ['-n', '--dry-run', '--list-only'],
    when: call => {
      if (!call.parsed.options.some(({ name }) => /^--(del|delete.*|remove-source-files)$/.test(name))) return false
      const target = call.operands.at(-1)
      if (!target || call.operands.length < 2) return false
      if (call.has('--remove-source-files')) {
        const source = call.operands
          .slice(0, -1)
          .find(arg => !['workspace', 'build', 'tmp'].includes(call.pathClass(arg)))
        if (source) return source
      }
      if (/^[^/]*:/.test(target.value)) return target
      return ['workspace', 'build', 'tmp'].includes(call.pathClass(target)) ? false : target
    },
    severity: 'high',
    reason: 'deletes everything at the target that the source does not have',
    safer: 'rsync -an --delete from/ to/',
    rewrite: { add: '-n' },
    match: [
      'rsync -a --delete ./dist/ deploy@host:/var/www/',
      'rsync -av --delete-after empty/ ~/Photos/',
      'rsync -a --delete empty/ ./',
    ],
    notMatch: ['rsync -a src/ host:/srv/', 'rsync -an --delete a/ host:/b/', 'rsync -a --delete src/ dist/'],
  },
  {
    id: 'fs/archive-away',
    program: ['tar', 'gtar', 'zip', '7z', '7za'],
    when: call => {
      const removes = call.program.endsWith('tar')
        ? call.has('--remove-files')
        : call.program === 'zip'
          ? call.has('-m', '--move')
          : call.args.some(({ value }) => value === '-sdel')
      return (
        removes &&
        ([call.value('-C', '--directory') ?? [], call.operands]
          .flat()
          .find(arg => ['root', 'home', 'system', 'outside', 'workspace-root', 'git'].includes(call.pathClass(arg))) ??
          false)
      )
    },
    severity: 'high',
    reason: 'deletes the files it puts into the archive',
    match: [
      'tar --remove-files -cf x.tar ~/Documents',
      'tar -cf /dev/null --remove-files -C ~ Documents',
      'zip -rm x.zip ~/Documents',
    ],
    notMatch: ['tar -czf x.tgz ~/Documents', 'zip -r x.zip .', 'tar --remove-files -cf logs.tar logs'],
  },
  {
    id: 'fs/move-away',
    program: ['mv', 'gmv'],
    when: call => {
      const target = call.value('-t', '--target-directory')
      const operands = target ? [...call.operands, target] : call.operands
      if (operands.at(-1)?.value === '/dev/null') return operands.at(-1) ?? true
      const forgets = operands.at(-1) !== undefined && isTemporary(call, operands.at(-1))
      return (
        operands
          .slice(0, -1)
          .find(
            arg =>
              (forgets && call.pathClass(arg) === 'outside' && !/\/Downloads\/|\.\w{1,5}$/.test(arg.value)) ||
              (call.pathClass(arg) === 'outside' && isSecretPath(call.path(arg).path ?? '')) ||
              (['root', 'home', 'system', 'device', 'git', 'workspace-root'].includes(call.pathClass(arg)) &&
                !isLocal(call, arg.value)),
          ) ?? false
      )
    },
    severity: 'high',
    reason: 'moves files that the system, your home folder or the repository needs',
    match: [
      'mv ~ /tmp/x',
      'mv /etc/passwd .',
      'mv notes.txt /dev/null',
      'mv .git /tmp/',
      'mv * /tmp/',
      'sudo mv /usr/lib /usr/lib.old',
      'mv ~/Documents /tmp/',
    ],
    notMatch: ['mv a b', 'mv ~/Downloads/x.zip .', 'mv ~/Downloads/x.zip /tmp/', 'mv src/*.ts lib/', 'mv dist/* .'],
  },
]

/** What is in a folder for temporary files is gone after the next start. */
function isTemporary(call: ProgramCall, target: Argument | undefined): boolean {
  return target !== undefined && (call.pathClass(target) === 'tmp' || /^\/(var\/)?tmp\/?$/.test(target.value))
}

/** Files in a subfolder of the workspace may be moved within it. */
function isLocal({ context, cwd }: ProgramCall, value: string): boolean {
  return (
    !value.includes(unknownText) &&
    value !== '*' &&
    value !== './*' &&
    cwd !== null &&
    cwd !== context.workspace &&
    cwd.startsWith(`${context.workspace}/`) &&
    !value.includes('..') &&
    !value.startsWith('/')
  )
}
