import { type Argument, origins } from '../../interpret/arguments.ts'
import { absolute } from '../../paths.ts'
import type { ProgramCall } from '../../program-call.ts'
import { isSecretPath } from '../../secret-paths.ts'
import type { GuardRule } from '../rule.ts'

/** Copying secrets to where others can find them. */
export const copyingRules: readonly GuardRule[] = [
  {
    id: 'secrets/carried',
    program: [
      'cp',
      'gcp',
      'mv',
      'gmv',
      'ln',
      'install',
      'tar',
      'bsdtar',
      'zip',
      '7z',
      '7za',
      'rar',
      'ditto',
      'cpio',
      'sqlite3',
      'dd',
    ],
    when: call => secretOutsideWorkspace(call) ?? false,
    severity: 'high',
    reason: 'copies keys or passwords to a less safe place',
    match: [
      'cp ~/.ssh/id_rsa /tmp/',
      'tar czf backup.tgz ~/.ssh',
      'zip -r k.zip ~/.gnupg',
      'ln -s ~/.aws/credentials public/x',
    ],
    notMatch: [
      'cp .env.example .env',
      'cp .env .env.local',
      'cp ~/.ssh/id_rsa.pub .',
      'tar czf src.tgz src',
      'tar xzf keys.tgz -C ~/.ssh-test',
    ],
  },
  {
    id: 'secrets/committed',
    program: 'git',
    sub: 'add',
    any: ['-f', '--force'],
    operand: ({ value }) => isSecretPath(value),
    severity: 'high',
    reason: 'adds keys or passwords to the repository in spite of .gitignore',
    match: ['git add -f .env', 'git add --force config/credentials.json'],
    notMatch: ['git add -f dist/index.js', 'git add .env.example'],
  },
  {
    id: 'secrets/committed-text',
    program: 'git',
    sub: ['commit', 'tag', 'notes'],
    when: call => call.args.find(({ from }) => from & origins.secret) ?? false,
    severity: 'high',
    reason: 'writes keys or passwords into the history of the repository',
    match: ['git commit --allow-empty -m "$(env)"', 'git notes add -m "$(cat .env)"'],
    notMatch: ['git commit -m "Read .env"', 'git commit -m "$(cat message.txt)"', 'git tag -a v1 -m "$(date)"'],
  },
  {
    id: 'secrets/let-others-in',
    program: ['ssh-import-id', 'ssh-import-id-gh', 'ssh-import-id-lp'],
    severity: 'critical',
    reason: 'changes who can log in, or the keys and settings that tools trust',
    match: ['ssh-import-id gh:someone'],
    notMatch: ['ssh-import-id --help'],
  },
  {
    id: 'secrets/let-in',
    program: 'ssh-copy-id',
    severity: 'medium',
    reason: "lets this machine's key log in to another machine from now on",
    match: ['ssh-copy-id user@host'],
    notMatch: ['ssh-copy-id --help'],
  },
]

/** A secret from outside the workspace; the ones inside belong to the work. The target does not matter here. */
function secretOutsideWorkspace(call: ProgramCall): Argument | undefined {
  const isCopy = /^g?(cp|mv)$|^(ln|install|ditto)$/.test(call.program)
  const all =
    call.program === 'dd' ? call.args.map(arg => ({ ...arg, value: arg.value.replace(/^if=/, '') })) : call.operands
  const sources = isCopy && all.length > 1 && call.value('-t', '--target-directory') === null ? all.slice(0, -1) : all
  return sources.find(arg => {
    const path = absolute(arg.value, call.cwd) ?? arg.value
    return isSecretPath(path) && !['workspace', 'build', 'tmp'].includes(call.pathClass(arg)) && !/sudoers$/.test(path)
  })
}
