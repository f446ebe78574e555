import type { GuardRule } from '../rule.ts'

const fileName = /(^|\/)[\w.-]+\.[a-z][a-z0-9]{0,5}$/i

/** Commands that discard uncommitted changes. */
export const worktreeRules: readonly GuardRule[] = [
  {
    id: 'git/reset-hard',
    program: 'git',
    sub: 'reset',
    any: ['--hard', '--merge'],
    severity: 'high',
    reason: 'discards all uncommitted changes',
    safer: 'git stash',
    rewrite: { replace: { '--hard': '--keep', '--merge': '--keep' } },
    match: [
      'git reset --hard',
      'git reset --hard HEAD~3',
      'git fetch && git reset --hard origin/main',
      'git reset --har',
      'git -C sub reset -q --hard',
    ],
    notMatch: ['git reset', 'git reset --soft HEAD~1', 'git reset HEAD file', 'git log --grep="reset --hard"'],
  },
  {
    id: 'git/discard',
    program: 'git',
    sub: 'checkout',
    when: call => {
      if (call.has('-f', '--force')) return true
      if (call.has('-b', '-B', '--orphan', '--track', '-t', '-p', '--patch')) return call.has('-B')
      const dashes = call.args.findIndex(({ value }) => value === '--')
      if (dashes >= 0) return call.args[dashes + 1] ?? false
      const operands = call.after(1)
      return (
        operands.find(
          ({ value }, i) =>
            value === '.' ||
            value === './' ||
            value === '*' ||
            value.startsWith(':/') ||
            fileName.test(value) ||
            (i > 0 && value.includes('/')),
        ) ?? false
      )
    },
    severity: 'medium',
    reason: 'discards uncommitted changes in files',
    safer: 'git stash push -- file',
    rewrite: { replace: { '-f': '', '--force': '', '-B': '-b' } },
    match: [
      'git checkout -- src/a.ts',
      'git checkout .',
      'git checkout -f main',
      'git checkout HEAD -- .',
      'git checkout HEAD~1 src/a.ts',
      'git checkout src/app.ts',
      'git checkout -B main origin/main',
      'git checkout --theirs package-lock.json',
    ],
    notMatch: [
      'git checkout main',
      'git checkout -b feature/x',
      'git checkout feature/x',
      'git checkout -',
      'git checkout v1.2.3',
      'git checkout -b fix/a.b',
    ],
  },
  {
    id: 'git/restore',
    program: 'git',
    sub: 'restore',
    operandMatches: /^/,
    unless: [{ any: ['-p', '--patch'] }, { any: ['--staged', '-S'], none: ['--worktree', '-W'] }],
    severity: 'medium',
    reason: 'discards uncommitted changes in files',
    safer: 'git stash push -- file',
    match: ['git restore .', 'git restore src/a.ts', 'git restore --source=HEAD~2 --staged --worktree x'],
    notMatch: ['git restore --staged .', 'git restore -S file'],
  },
  {
    id: 'git/switch-discard',
    program: 'git',
    sub: 'switch',
    any: ['-f', '--force', '--discard-changes', '-C'],
    severity: 'medium',
    reason: 'discards uncommitted changes, or moves a branch',
    rewrite: { replace: { '-f': '', '--force': '', '--discard-changes': '', '-C': '-c' } },
    match: ['git switch -f main', 'git switch --discard-changes main', 'git switch -C main origin/main'],
    notMatch: ['git switch main', 'git switch -c new'],
  },
  {
    id: 'git/clean',
    program: 'git',
    sub: 'clean',
    none: ['-n', '-i', '--interactive'],
    any: ['-f', '--force', '-x', '-X', '-d'],
    severity: 'high',
    reason: 'deletes untracked files, which cannot be recovered',
    safer: 'git clean -nd',
    rewrite: { add: '-n' },
    match: ['git clean -fd', 'git clean -fdx', 'git clean --force', 'git clean -xdf -e .env'],
    notMatch: ['git clean -n', 'git clean -nfdx', 'git clean --dry-run -fd', 'make clean'],
  },
  {
    id: 'git/stash-drop',
    program: 'git',
    sub: ['stash drop', 'stash clear'],
    severity: 'medium',
    reason: 'deletes stashed changes',
    safer: 'git stash list',
    match: ['git stash drop', 'git stash drop stash@{2}', 'git stash clear'],
    notMatch: ['git stash', 'git stash pop', 'git stash list', 'git stash push -m "drop"'],
  },
  {
    id: 'git/remove-tracked',
    program: 'git',
    sub: 'rm',
    none: ['--cached', '-n'],
    operand: (arg, call) =>
      ['workspace-root', 'root', 'home'].includes(call.pathClass(arg)) || (call.has('-f', '--force') && call.has('-r')),
    severity: 'medium',
    reason: 'deletes tracked files, including modified ones',
    match: ['git rm -rf .', 'git rm -r *', 'git rm -rf src'],
    notMatch: ['git rm -r --cached .', 'git rm file.txt', 'git rm -r old'],
  },
  {
    id: 'git/worktree-force',
    program: 'git',
    sub: ['worktree remove', 'submodule deinit', 'checkout-index', 'read-tree'],
    any: ['-f', '--force', '--reset'],
    severity: 'medium',
    reason: 'discards changes in another working tree',
    match: ['git worktree remove --force ../wt', 'git submodule deinit -f lib', 'git checkout-index -a -f'],
    notMatch: ['git worktree remove ../wt', 'git worktree add ../wt x'],
  },
]
