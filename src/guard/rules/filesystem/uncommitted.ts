import type { Argument } from '../../interpret/arguments.ts'
import { fileKey } from '../../interpret/files.ts'
import { isRemade } from '../../paths.ts'
import type { ProgramCall } from '../../program-call.ts'
import type { GuardRule } from '../rule.ts'
import { deleters, isRecursive } from './deleting.ts'

// What people keep beside a project and nowhere else: settings, databases, keys, state.
const localData =
  /^(\.env(\..+|rc|\*.*)?|.+\.env|.+\.(sqlite3?|db3?|sqlitedb|duckdb|mdb|dump|tfstate|tfvars|pem|key|p12|pfx|jks|keystore|kdbx)|(secrets?|credentials)(\..+)?|.+\.local\.(json|ya?ml|toml|php|py))$/i
const throwaway =
  /^(test|tests|testing|tmp|temp|thumbs|public|cert|chain|fullchain|ca|demo|example|sample)\b|cache|coverage|\.(example|sample|template|dist|defaults|schema|bak|orig|old|tmp)$|^\.env\.(test|testing|ci|example)\b/i

/** Whether nothing else has the file, as far as git says. Where nobody asks git, its name has to do. */
function isOnlyHere(arg: Argument, call: ProgramCall): boolean {
  const { class: kind, name } = call.path(arg)
  if (kind !== 'workspace' || call.frame.scope.isRemote || isRemade(name)) return false
  // What the same command wrote before.
  if (call.frame.scope.files.has(fileKey(arg.value, call.cwd))) return false
  if (call.context.gitState === null) return true
  return !deletesTree(arg, call) && call.gitState(arg) !== 'committed'
}

/** Whether folders go with everything in them. A file that is named by itself is often one that the agent has just made. */
function deletesTree(_: Argument, call: ProgramCall): boolean {
  return isRecursive(call) || call.walksTree
}

/** Deleting what git cannot bring back. What a build makes again never comes here: git is asked about `workspace` paths only. */
export const uncommittedRules: readonly GuardRule[] = [
  {
    id: 'fs/delete-unversioned',
    program: deleters,
    operand: deletesTree,
    git: ['no-repository'],
    severity: 'medium',
    reason: 'deletes files that are in no git repository, so nothing can bring them back',
    match: [
      'rm -rf thesis',
      'rm -r notes/2024',
      'rm -rf node_modules thesis',
      'sudo rm -fr ./drafts/',
      "find . -name '*.bak' -delete",
      "find thesis -type f -exec rm {} ';'",
      'rm -rf thesis/*',
      'rm -rf "thesis/$year"',
      'npx rimraf thesis',
      `python3 -c 'import shutil; shutil.rmtree("thesis")'`,
    ],
    notMatch: [
      'rm -rf node_modules dist',
      'rm -rf packages/a/node_modules',
      "find . -name '*.pyc' -delete",
      'rm notes.txt',
      'rm -rf /tmp/x',
      'rm -rf ~/elsewhere',
      'ssh host rm -rf thesis',
      'ls -R thesis',
    ],
  },
  {
    id: 'fs/delete-uncommitted',
    program: deleters,
    operand: deletesTree,
    git: ['uncommitted', 'ignored'],
    severity: 'medium',
    reason: 'deletes files that are not committed, so git cannot bring them back',
    safer: 'git status --short --ignored',
    match: ['rm -rf src/old', 'rm -r ./lib/legacy/', "find src -name '*.bak' -delete", 'cd lib && rm -rf old'],
    notMatch: [
      'rm -rf dist coverage',
      'rm -rf node_modules package-lock.json',
      'rm src/old.ts',
      'rm -f src/a.ts src/b.ts',
      'git rm -r src/old',
    ],
  },
  {
    id: 'fs/delete-local-data',
    program: deleters,
    operand: (arg, call) => {
      const { name } = call.path(arg)
      return localData.test(name) && !throwaway.test(name) && isOnlyHere(arg, call)
    },
    severity: 'medium',
    reason: 'deletes settings, keys or data that are only here',
    match: ['rm .env', 'rm -f .env.local', 'rm data/dev.sqlite3', 'unlink app.db', 'rm -f terraform.tfstate'],
    notMatch: [
      'rm .env.example',
      'rm -f .env.test .env.bak',
      'find . -name Thumbs.db -delete',
      'cp .env.example .env && npm test && rm .env',
      'rm -f test.db',
      'rm notes.txt',
      'rm -f /tmp/test.db',
      'rm build/cache.db',
      'cat .env.example',
    ],
  },
  {
    id: 'fs/delete-unknown-state',
    program: deleters,
    operand: deletesTree,
    git: ['unknown'],
    severity: 'medium',
    reason: 'deletes files of which git could not say whether they are committed',
    safer: 'git status --short --ignored',
    match: ['rm -rf src/old'],
    notMatch: ['rm -rf node_modules', 'rm src/old.ts'],
  },
]
