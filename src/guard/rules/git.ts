import type { Domain } from './rule.ts'

export const git: Domain = {
  name: 'git',
  grammar: {
    git: {
      values: ['-C', '-c', '--git-dir', '--work-tree', '--namespace', '--config-env', '--exec-path'],
      sub: {
        commit: ['-m', '--message', '-F', '--file', '--author', '--date', '-t', '-C', '-c', '--fixup', '--squash'],
      },
      long: [],
    },
  },
  rules: [
    {
      id: 'git/push-force',
      program: 'git',
      sub: 'push',
      any: ['--force', '-f'],
      severity: 'high',
      reason: 'overwrites what others have pushed',
      safer: 'git push --force-with-lease',
      match: ['git push -f origin main', 'git -C repo push --force'],
      notMatch: ['git push origin feature', 'git commit -m "push --force"'],
    },
  ],
}
