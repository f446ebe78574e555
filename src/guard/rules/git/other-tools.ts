import type { ProgramCall } from '../../program-call.ts'
import type { GuardRule } from '../rule.ts'

/** Other version control: Mercurial, Sapling, Jujutsu, Subversion, Fossil, Bazaar and Perforce. */
export const otherToolRules: readonly GuardRule[] = [
  {
    id: 'git/other-history',
    program: ['hg', 'sl', 'jj', 'svn', 'svnadmin', 'fossil', 'bzr', 'brz', 'p4'],
    none: ['-n'],
    when: call => discards[call.program]?.(call) ?? false,
    severity: 'high',
    reason: 'discards commits or changes',
    match: [
      'hg strip 42',
      'hg update -C',
      'hg revert --all',
      'sl purge',
      'jj abandon',
      'jj op restore abc',
      'svn delete https://svn.example.com/repo/trunk -m x',
      'svn revert -R .',
      'svn cleanup --remove-unversioned',
      'bzr revert',
      'p4 obliterate -y //depot/...',
      'p4 revert //...',
    ],
    notMatch: [
      'hg status',
      'hg update',
      'hg revert a.txt',
      'jj log',
      'svn update',
      'svn revert a.txt',
      'svn cleanup',
      'p4 sync',
      'p4 obliterate //depot/...',
      'bzr revert a.txt',
    ],
  },
]

const discards: Readonly<Record<string, (call: ProgramCall) => boolean>> = {
  hg: mercurial,
  sl: mercurial,
  jj: call =>
    ['abandon', 'op abandon', 'op restore', 'operation restore', 'operation abandon'].some(sub => call.isSub(sub)),
  svn: call =>
    (['delete', 'rm', 'remove', 'del'].some(sub => call.isSub(sub)) && /:\/\//.test(call.after(1)[0]?.value ?? '')) ||
    (call.isSub('revert') && (call.has('-R', '--recursive') || call.value('--depth')?.value === 'infinity')) ||
    (call.isSub('cleanup') && call.has('--remove-unversioned', '--remove-ignored')),
  svnadmin: call => call.isSub('rmtxns') || call.isSub('setrevprop'),
  fossil: call => ['purge', 'shun', 'scrub', 'clean'].some(sub => call.isSub(sub)) || isWholeRevert(call),
  bzr: bazaar,
  brz: bazaar,
  p4: call =>
    (call.isSub('obliterate') && call.has('-y')) ||
    (call.isSub('revert') && call.after(1).some(({ value }) => value.includes('...'))) ||
    (['client', 'depot', 'branch', 'label', 'user'].some(sub => call.isSub(sub)) && call.has('-d')),
}

function mercurial(call: ProgramCall): boolean {
  const [sub = ''] = call.operands.map(({ value }) => value)
  if (['strip', 'debugstrip', 'rollback', 'purge', 'clean', 'histedit', 'prune', 'hide'].includes(sub)) return true
  if (['update', 'up', 'checkout', 'co', 'goto'].includes(sub)) return call.has('-C', '--clean')
  if (sub === 'revert') return call.has('-a', '--all')
  return sub === 'push' && call.has('-f', '--force')
}

function bazaar(call: ProgramCall): boolean {
  return call.isSub('uncommit') || call.isSub('clean-tree') || isWholeRevert(call)
}

function isWholeRevert(call: ProgramCall): boolean {
  return call.isSub('revert') && call.operands.length === 1
}
