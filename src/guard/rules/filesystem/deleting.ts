import type { ProgramCall } from '../../program-call.ts'
import { list } from '../../word-list.ts'
import type { GuardRule } from '../rule.ts'

export const deleters = ['rm', 'grm', 'unlink', 'shred', 'srm', 'wipe', 'rimraf', 'del-cli', 'trash-put']
const alwaysRecursive = ['rimraf', 'wipe', 'srm', 'del-cli']

export function isRecursive(call: ProgramCall): boolean {
  return call.has('-r', '-R', '--recursive') || alwaysRecursive.includes(call.program)
}

// Folders at the top of a workspace that no build recreates.
const irreplaceableFolders = new Set(
  list(`src source sources app apps packages internal cmd pkg crates server client backend frontend api services components migrations data
  uploads backups backup database databases storage docs test tests spec .github .env .vscode config configs scripts content`),
)

const sourceFiles =
  /^\*+\.\{?(tsx?|jsx?|mjs|cjs|py|rb|go|rs|java|kt|c|cc|cpp|h|hpp|cs|php|swift|scala|ex|exs|sql|md|json|ya?ml|toml|vue|svelte|html|css|env|pem|key|db|sqlite3?)\b(?!\[)/

/** Deleting files. `rm`, `find -delete` and `xargs rm` all arrive here as `rm`. */
export const deletingRules: readonly GuardRule[] = [
  {
    id: 'fs/delete-root',
    program: deleters,
    operandIn: ['root'],
    verdict: 'deny',
    severity: 'critical',
    reason: 'deletes everything on this machine',
    match: [
      'rm -rf /',
      'sudo rm -rf --no-preserve-root /',
      'rm -fr /*',
      'rm -rf /./',
      'rm -rf ../../../../../..',
      'rm --recur --forc /',
      'find / -delete',
      'cd / && rm -rf *',
      'rm -r -- /',
    ],
    notMatch: ['rm -rf ./build', 'echo rm -rf /', 'rm --help /', 'find / -name x'],
  },
  {
    id: 'fs/delete-home',
    program: deleters,
    operand: (arg, call) => {
      const { class: kind, path } = call.path(arg)
      return kind === 'home' && path === call.context.home
    },
    verdict: 'deny',
    severity: 'critical',
    reason: 'deletes your home folder',
    match: [
      'rm -rf ~',
      'rm -rf "$HOME"',
      'rm -rf ~/',
      'rm -rf $HOME/*',
      'rm -rf ~/.*',
      'cd ~ && rm -rf *',
      'cd && rm -rf .',
    ],
    notMatch: ['rm -rf ~/x', 'rm -rf "~"'],
  },
  {
    id: 'fs/delete-homes',
    program: deleters,
    operand: (arg, call) => {
      const { class: kind, path } = call.path(arg)
      return kind === 'home' && path !== call.context.home
    },
    severity: 'critical',
    reason: "deletes another user's home folder",
    match: ['sudo rm -rf /home/deploy', 'rm -rf /Users', 'rm -rf ~other'],
    notMatch: ['rm -rf ~'],
  },
  {
    id: 'fs/delete-system',
    program: deleters,
    operandIn: ['system', 'device'],
    severity: 'critical',
    reason: 'deletes system files',
    match: [
      'rm -rf /etc',
      'sudo rm /usr/bin/python3',
      'rm -rf /var/lib/postgresql',
      'rm -rf /u*',
      'find /var/log -type f -delete',
    ],
    notMatch: ['rm -rf /tmp/x', 'ls /etc'],
  },
  {
    id: 'fs/delete-git',
    program: deleters,
    operand: (arg, call) => {
      const { class: kind, name } = call.path(arg)
      return kind === 'git' && !name.endsWith('.lock') && name !== 'COMMIT_EDITMSG' && name !== 'MERGE_MSG'
    },
    severity: 'high',
    reason: "deletes the repository's history, including commits that exist nowhere else",
    match: ['rm -rf .git', 'rm -rf ./.git/', 'rm -rf .git/objects', 'find . -name .git -exec rm -rf {} +'],
    notMatch: ['rm -f .git/index.lock', 'rm -rf .github-cache'],
  },
  {
    id: 'fs/delete-workspace',
    program: deleters,
    operandIn: ['workspace-root'],
    severity: 'high',
    reason: 'deletes the whole workspace',
    safer: 'git clean -ndx',
    match: [
      'rm -rf .',
      'rm -rf *',
      'rm -rf ./*',
      'rm -rf "$PWD"',
      'find . -delete',
      'find . -type f -delete',
      'rm -rf /home/me/project',
      'rm *',
    ],
    notMatch: ['rm -rf ./dist', 'cd dist && rm -rf *', 'rm -f *.log', "find . -name '*.pyc' -delete"],
  },
  {
    id: 'fs/delete-sources',
    program: deleters,
    operand: (arg, call) => {
      const { class: kind, path, name } = call.path(arg)
      if (kind !== 'workspace' || path === null) return false
      if (arg.glob && sourceFiles.test(name)) return call.frame.via.length > 0
      if (!isRecursive(call)) return false
      const depth = path.slice(call.context.workspace.length + 1).split('/').length
      return depth <= 2 && irreplaceableFolders.has(name)
    },
    severity: 'medium',
    reason: 'deletes a folder of the workspace that a build cannot recreate',
    safer: 'git rm -r --dry-run src',
    match: [
      'rm -rf src',
      'rm -rf ./src/*',
      'rm -r docs',
      'rm -rf dist src',
      "find . -name '*.ts' -delete",
      'npx rimraf src',
    ],
    notMatch: [
      'rm -rf dist',
      "find . -name '*.py[co]' -delete",
      'rm -rf src/components/old',
      'rm src/old.ts',
      'rm -rf test/fixtures/tmp',
    ],
  },
  {
    id: 'fs/delete-outside',
    program: deleters,
    operandIn: ['outside'],
    severity: 'high',
    reason: 'deletes files outside the workspace',
    match: [
      'rm -rf ~/Documents',
      'rm ../other/file.txt',
      'rm -rf /data/db',
      'cd .. && rm -rf other',
      'rm -rf /tmp/*',
      'rm -rf /tmp/../data',
      'echo ~/x | xargs rm',
    ],
    notMatch: [
      'rm -rf build',
      'rm -rf /tmp/work',
      'rm -rf ../project/dist',
      'rm -rf "$TMPDIR/x"',
      'd=$(mktemp -d); rm -rf "$d"',
    ],
  },
  {
    id: 'fs/delete-dynamic',
    program: deleters,
    when: call => isRecursive(call) || call.frame.via.includes('xargs'),
    operand: (arg, call) => call.pathClass(arg) === 'dynamic',
    severity: 'medium',
    reason: 'deletes folders whose names are known only at run time; an empty variable can widen it to everything',
    safer: 'ls -d "$DIR"',
    match: [
      'rm -rf "$DIR"',
      'rm -rf $DIR/*',
      'rm -rf ${BUILD}/',
      'rm -rf "$(cat list)"',
      'cat list | xargs rm -rf',
      'rm -rf ./$X',
      'cd "$D" && rm -rf *',
    ],
    notMatch: [
      'rm -f "$file"',
      'DIR=dist; rm -rf "$DIR"',
      'rm -rf "$ROOT/node_modules"',
      'rm -rf "build/$name"',
      'rm -rf "${OUT:-dist}"',
    ],
  },
  {
    id: 'fs/shred',
    program: ['shred', 'srm', 'wipe'],
    operand: (arg, call) => !['build', 'tmp'].includes(call.pathClass(arg)),
    severity: 'high',
    reason: 'overwrites files beyond recovery',
    match: ['shred -u notes.txt', 'shred -n 3 -z ~/.ssh/id_rsa'],
    notMatch: ['shred -u /tmp/key'],
  },
]
