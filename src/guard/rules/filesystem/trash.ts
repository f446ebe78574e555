import { list } from '../../word-list.ts'
import { type Deletions, deletes } from '../deletions.ts'
import type { Grammars, GuardRule } from '../rule.ts'

// What each tool calls emptying the trash.
const trashDeletions: Deletions = {
  gio: { sub: /^trash\b/, any: ['--empty'] },
  'gvfs-trash': { any: ['--empty'] },
  'trash-empty': { none: ['--dry-run'] },
  'trash-rm': { sub: /./ },
  trash: [{ sub: /^(empty|rm)\b/ }, { any: list('-e -s --empty --secure-empty') }],
  trashy: { sub: /^(empty|e)\b/ },
  gtrash: { sub: /^(prune|rm|remove)\b/ },
  gomi: { any: ['--prune'] },
  rip: { any: ['-d', '--decompose'] },
  rmw: { any: list('-g --purge -f') },
  'empty-trash': {},
  'empty-trash-cli': {},
  ktrash: { any: ['--empty'] },
  ktrash5: { any: ['--empty'] },
  ktrash6: { any: ['--empty'] },
  kioclient: { sub: /^empty trash/ },
  kioclient5: { sub: /^empty trash/ },
  kioclient6: { sub: /^empty trash/ },
  'clear-recyclebin': {},
}

// Tools that search for files and delete what they find, in their own words.
const cleaners: Deletions = {
  fdupes: { any: list('-d --delete -I --immediate'), none: ['-n'] },
  jdupes: { any: list('-d --delete') },
  rdfind: [{ any: ['-deleteduplicates', '-makesymlinks', '-makehardlinks'], none: ['-dryrun', '-n'] }],
  fclones: { sub: /^(remove|move|dedupe|link)\b/, none: ['--dry-run'] },
  rmdupe: {},
  czkawka_cli: { any: list('-D --delete-method --delete-files --delete-folders') },
  'rmlint.sh': { none: ['-n'] },
  bleachbit: { any: list('-c --clean -s --shred -w --wipe-free-space --overwrite') },
  tmpwatch: { none: ['-t', '--test'] },
  tmpreaper: { none: ['-t', '--test'] },
  stmpclean: {},
  logrotate: { any: ['-f', '--force'], none: ['-d', '--debug'] },
}

export const trashRules: readonly GuardRule[] = [
  {
    id: 'fs/empty-trash',
    program: Object.keys(trashDeletions),
    when: call => deletes(call, trashDeletions),
    severity: 'high',
    reason: 'deletes what is in the trash for good',
    safer: 'trash-list',
    match: ['gio trash --empty', 'trash-empty -f', "trash-rm '*.docx'", 'ktrash6 --empty', 'npx empty-trash-cli'],
    notMatch: [
      'gio trash old.txt',
      'gio list trash://',
      'trash-list',
      'trash old.txt',
      'trash-put notes.md',
      'rip old.txt',
    ],
  },
  {
    id: 'fs/clean-found',
    program: Object.keys(cleaners),
    when: call => deletes(call, cleaners),
    severity: 'high',
    reason: 'deletes the files that a search finds, which are known only at run time',
    safer: 'fdupes -r Pictures',
    match: [
      'fdupes -rdN ~/Pictures',
      'rdfind -deleteduplicates true ~/Pictures',
      'tmpreaper 7d ~/work',
      'bleachbit --clean system.trash',
    ],
    notMatch: [
      'fdupes -r src',
      'jdupes -r ~/Music',
      'rdfind -dryrun true -deleteduplicates true ~/Pictures',
      'tmpwatch --test 24h /srv/up',
    ],
  },
]

export const trashGrammar: Grammars = {
  rdfind: { words: true },
  czkawka_cli: { values: list('-d --directories -e --excluded-directories -D --delete-method -m') },
  trash: {},
  tmpwatch: { values: list('-x --exclude -X -U') },
}
