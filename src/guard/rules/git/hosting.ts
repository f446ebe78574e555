import type { GuardRule } from '../rule.ts'

/** GitHub and GitLab, through their command line tools. */
export const hostingRules: readonly GuardRule[] = [
  {
    id: 'git/hosting-delete',
    program: ['gh', 'glab', 'hub'],
    sub: [
      'repo delete',
      'repo archive',
      'release delete',
      'release delete-asset',
      'issue delete',
      'run delete',
      'cache delete',
      'gist delete',
      'secret delete',
      'secret remove',
      'variable delete',
      'ssh-key delete',
      'gpg-key delete',
      'label delete',
      'project delete',
      'codespace delete',
      'workflow disable',
      'delete',
      'repo deploy-key delete',
      'ruleset delete',
      'mr delete',
      'ci delete',
      'environment delete',
    ],
    severity: 'high',
    reason: 'deletes or disables something on the hosting service',
    match: ['gh repo delete me/x --yes', 'gh release delete v1', 'gh secret delete TOKEN', 'glab repo delete me/x'],
    notMatch: ['gh repo view', 'gh pr list', 'gh issue create --title "repo delete" --body x', 'gh run list'],
  },
  {
    id: 'git/hosting-visibility',
    program: ['gh', 'glab'],
    sub: ['repo edit', 'repo rename', 'repo transfer', 'repo create'],
    when: call =>
      (call.isSub('repo edit') &&
        (call.value('--visibility') !== null || call.has('--accept-visibility-change-consequences'))) ||
      call.isSub('repo transfer') ||
      (call.isSub('repo create') && call.has('--public') && call.has('--push')),
    severity: 'high',
    reason: 'changes who can see or owns a repository',
    match: ['gh repo edit --visibility public', 'gh repo edit me/x --visibility=private'],
    notMatch: ['gh repo edit --description x', 'gh repo clone me/x'],
  },
  {
    id: 'git/hosting-secret',
    program: ['gh', 'glab'],
    sub: ['secret set', 'ssh-key add', 'gpg-key add', 'repo deploy-key add', 'auth token', 'variable set'],
    severity: 'medium',
    reason: 'changes or shows keys and secrets of the hosting service',
    match: ['gh secret set TOKEN -b x', 'gh ssh-key add key.pub', 'gh auth token'],
    notMatch: ['gh auth status', 'gh secret list'],
  },
  {
    id: 'git/hosting-merge',
    program: ['gh', 'glab'],
    sub: ['pr merge', 'mr merge'],
    any: ['--admin'],
    severity: 'medium',
    reason: "merges in spite of the repository's rules",
    match: ['gh pr merge 12 --admin --squash'],
    notMatch: ['gh pr merge 12 --squash', 'gh pr view 12'],
  },
  {
    id: 'git/hosting-api',
    program: ['gh', 'glab'],
    sub: 'api',
    when: call =>
      /^(delete|put)$/i.test(call.value('-X', '--method')?.value ?? '') ||
      call.args.some(({ value }) => /\bmutation\b[\s\S]*\b(delete|remove|archive|transfer)/i.test(value)),
    severity: 'high',
    reason: 'deletes or replaces something on the hosting service',
    match: [
      'gh api -X DELETE repos/me/x',
      'gh api --method delete /repos/me/x/branches/main/protection',
      'gh api repos/me/x -XDELETE',
    ],
    notMatch: ['gh api repos/me/x', 'gh api -X GET /user', "gh api graphql -f query='query { viewer { login } }'"],
  },
]
