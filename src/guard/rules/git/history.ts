import type { ProgramCall } from '../../program-call.ts'
import type { GuardRule } from '../rule.ts'
import { settingsOf } from './settings.ts'

const protectedBranch =
  /^(refs\/heads\/)?(main|master|trunk|develop|production|prod|staging|release([/-].+)?|stable|v?\d+\.x)$/

/** The branches on the remote that a push names. */
function pushed(call: ProgramCall): string[] {
  return call
    .after(2)
    .map(({ value }) => (value.includes(':') ? value.slice(value.indexOf(':') + 1) : value).replace(/^\+/, ''))
}

/** Commands that make commits unreachable, locally or for everyone. */
export const historyRules: readonly GuardRule[] = [
  {
    id: 'git/push-force',
    program: 'git',
    sub: 'push',
    none: ['-n'],
    oneOf: [{ any: ['--force', '-f'] }, { sub: 'push', operandMatches: /^\+/ }],
    severity: 'high',
    reason: 'overwrites history that others have',
    safer: 'git push --force-with-lease',
    rewrite: { replace: { '--force': '--force-with-lease', '-f': '--force-with-lease', '+*': '--force-with-lease *' } },
    match: [
      'git push -f origin main',
      'git -C repo push --force',
      'git push origin +main',
      'git push -uf origin x',
      'git push origin main --force',
      'git -c x.y=z push origin +HEAD:refs/heads/main',
    ],
    notMatch: [
      'git push origin feature',
      'git commit -m "push --force"',
      'git push --force --dry-run',
      'git push -u origin feature',
      'git push --force-with-lease origin feature',
    ],
  },
  {
    id: 'git/push-force-protected',
    program: 'git',
    sub: 'push',
    any: ['--force-with-lease'],
    when: call => pushed(call).some(branch => protectedBranch.test(branch)),
    severity: 'medium',
    reason: 'rewrites a branch that others build on',
    match: ['git push --force-with-lease origin main', 'git push --force-with-lease origin HEAD:release/2.0'],
    notMatch: ['git push --force-with-lease origin feature/x', 'git push origin main'],
  },
  {
    id: 'git/push-delete',
    program: 'git',
    sub: 'push',
    none: ['-n'],
    oneOf: [{ any: ['--delete', '-d', '--mirror', '--prune'] }, { sub: 'push', operandMatches: /^\+?:./ }],
    severity: 'high',
    reason: 'deletes branches or tags on the remote',
    match: [
      'git push origin --delete feature',
      'git push origin :feature',
      'git push --mirror backup',
      'git push -d origin v1.0',
      'git push origin :refs/tags/v1',
    ],
    notMatch: ['git push origin HEAD:feature', 'git push --tags', 'git fetch --prune'],
  },
  {
    id: 'git/filter',
    program: ['git', 'git-filter-repo', 'git-filter-branch', 'bfg', 'java'],
    oneOf: [
      { program: 'java', argMatches: /(^|\/)bfg[^/]*\.jar$/ },
      { program: 'git', sub: ['filter-branch', 'filter-repo'] },
      { program: ['git-filter-repo', 'git-filter-branch', 'bfg'] },
    ],
    severity: 'high',
    reason: 'rewrites every commit of the repository',
    match: [
      "git filter-branch --tree-filter 'rm -f x' HEAD",
      'git filter-repo --path x --invert-paths',
      'bfg --delete-files id_rsa',
    ],
    notMatch: ['git log --diff-filter=D', 'git filter-repo --help'],
  },
  {
    id: 'git/expire',
    program: 'git',
    when: call => {
      if (call.isSub('reflog expire') || call.isSub('reflog delete') || call.isSub('reflog drop')) return true
      if (call.isSub('prune')) return !call.has('-n')
      if (call.isSub('lfs prune')) return call.has('-f', '--force')
      if (call.isSub('config'))
        return call.args.some(({ value }, i) => isExpiry(value) && isNow(call.args[i + 1]?.value))
      if (!call.isSub('gc')) return false
      return (
        isNow(call.value('--prune')?.value) || settingsOf(call).some(({ key, value }) => isExpiry(key) && isNow(value))
      )
    },
    severity: 'high',
    reason: 'deletes unreachable commits, the last way back from a mistake',
    match: [
      'git reflog expire --expire=now --all',
      'git gc --prune=now --aggressive',
      'git prune',
      'git reflog delete HEAD@{1}',
      'git -c gc.pruneExpire=now gc',
      'git config gc.reflogExpire now',
    ],
    notMatch: [
      'git gc',
      'git reflog',
      'git remote prune origin',
      'git fetch -p',
      'git worktree prune',
      'git prune -n',
      'git gc --prune=2.weeks.ago',
      'git config --get gc.reflogExpire',
    ],
  },
  {
    id: 'git/branch-delete',
    program: 'git',
    sub: 'branch',
    oneOf: [
      { any: ['-D'] },
      { any: ['-d', '--delete'], all: ['-f'] },
      { any: ['-d', '--delete'], all: ['--force'] },
      { any: ['-f', '--force'], sub: 'branch', operandMatches: /^/ },
    ],
    severity: 'medium',
    reason: 'deletes or moves a branch, even if it is not merged',
    safer: 'git branch -d feature',
    rewrite: { replace: { '-D': '-d', '-f': '', '--force': '' } },
    match: [
      'git branch -D feature',
      'git branch --delete --force x',
      'git branch -df x',
      'git branch -f main HEAD~3',
      'git branch | grep old | xargs git branch -D',
    ],
    notMatch: ['git branch -d merged', 'git branch', 'git branch -a', 'git branch -M main', 'git branch new'],
  },
  {
    id: 'git/tag-delete',
    program: 'git',
    sub: 'tag',
    any: ['-d', '--delete', '-f', '--force'],
    severity: 'medium',
    reason: 'deletes or moves a tag',
    rewrite: { replace: { '-f': '', '--force': '' } },
    match: ['git tag -d v1.0', 'git tag -f v1.0', 'git tag --delete v1'],
    notMatch: ['git tag v1.0', "git tag -a v1.0 -m 'x -d'", 'git tag -l'],
  },
  {
    id: 'git/update-ref',
    program: 'git',
    oneOf: [{ sub: ['update-ref', 'replace', 'notes prune'] }, { sub: 'symbolic-ref', any: ['-d', '--delete'] }],
    severity: 'high',
    reason: 'moves or deletes a reference directly',
    match: ['git update-ref -d refs/heads/main', 'git update-ref refs/heads/main HEAD~3'],
    notMatch: ['git show-ref', 'git symbolic-ref HEAD', 'git notes add -m x'],
  },
  {
    id: 'git/fetch-force',
    program: 'git',
    sub: ['fetch', 'pull'],
    when: call =>
      call
        .after(2)
        .find(
          ({ value }) =>
            /^\+?[^:]+:(?!refs\/(remotes|pull|tags|notes)\/)./.test(value) &&
            (value.startsWith('+') || call.has('-f', '--force')),
        ) ?? false,
    severity: 'medium',
    reason: 'overwrites a local branch, even if it has commits of its own',
    safer: 'git fetch origin',
    match: ['git fetch origin +main:main', 'git fetch -f origin main:main'],
    notMatch: [
      'git fetch origin main:main',
      "git fetch origin '+refs/heads/*:refs/remotes/origin/*'",
      'git fetch -f --tags',
      'git fetch origin pull/12/head:pr-12',
    ],
  },
  {
    id: 'git/rebase-edit',
    program: 'git',
    sub: 'rebase',
    any: ['-i', '--interactive', '--root'],
    severity: 'medium',
    reason: 'rewrites individual commits',
    match: ['git rebase -i HEAD~5', 'git rebase --root'],
    notMatch: ['git rebase main', 'git rebase --continue', 'git rebase --abort', 'git pull --rebase'],
  },
]

function isExpiry(key: string): boolean {
  return /^gc\.(?:.+\.)?(?:pruneexpire|reflogexpire|reflogexpireunreachable)$/i.test(key)
}

/** A time for `--prune` that spares nothing. */
function isNow(time: string | undefined): boolean {
  return /^(?:now|all|0|0\.\w+|today|tomorrow|\d+\.(?:second|minute)s?(?:\.ago)?)$/.test(time ?? '')
}
