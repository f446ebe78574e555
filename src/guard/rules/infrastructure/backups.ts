import { list } from '../../word-list.ts'
import { type Deletions, deletes } from '../deletions.ts'
import type { Grammars, GuardRule } from '../rule.ts'

const rehearsals = ['-n', '--dry-run']
const resticForget = { sub: /^(forget|prune|key (remove|passwd)|rewrite|repair snapshots|migrate)\b/, none: rehearsals }
const borgDelete = { sub: /^(delete|repo-delete|prune|recreate|key change-|config\b.* append_only)/, none: rehearsals }

// What each tool calls deleting backups, or restoring over what is there now.
const backupDeletions: Deletions = {
  restic: resticForget,
  rustic: resticForget,
  autorestic: { sub: /(^| )(forget|prune)\b/, none: rehearsals },
  resticprofile: { sub: /(^|[ .])(forget|prune)\b/, none: rehearsals },
  borg: borgDelete,
  borg2: borgDelete,
  attic: borgDelete,
  borgmatic: [
    { sub: /(^| )(prune|delete|repo-delete|recreate)\b/, none: rehearsals },
    { any: ['--prune', '-p'], none: rehearsals },
  ],
  // Without --force, duplicity and duply only list what they would delete.
  duplicity: { sub: /^(remove-|cleanup)/, any: ['--force'] },
  duply: { sub: /(^| |_|\+)(purge|cleanup)/i, any: ['--force'] },
  pgbackrest: { sub: /(^| )(expire|stanza-delete|repo-rm|restore)\b/ },
  barman: { sub: /^(delete|recover|restore|config-update)\b/ },
  'barman-cloud-backup-delete': { none: rehearsals },
  'barman-cloud-restore': {},
  'wal-g': [{ sub: /^delete\b/, any: ['--confirm'] }, { sub: /^(backup-fetch|st (rm|put))\b/ }],
  'wal-e': { sub: /^(delete|backup-fetch)\b/, none: rehearsals },
  pg_probackup: { sub: /^(delete|del-instance|restore|merge)\b/, none: ['--dry-run'] },
  pg_rman: { sub: /^(delete|purge|restore)\b/ },
  pg_archivecleanup: { sub: /./, none: ['-n', '--dry-run'] },
  pbm: { sub: /^(delete-backup|delete-pitr|cleanup|restore)\b/, none: rehearsals },
  'clickhouse-backup': [{ sub: /^(delete|clean)/ }, { sub: /^restore/, any: ['--rm', '--drop'] }],
  'clickhouse-disks': { sub: /^(remove|rm)\b/ },
  tarsnap: { any: ['-d', '--nuke', '--fsck-prune'], none: ['--dry-run'] },
  tarsnapper: { sub: /(^| )expire\b/, none: ['--dry-run'] },
  timeshift: { any: list('--delete --delete-all --restore') },
  snapper: { sub: /^(delete|remove|rm|delete-config|rollback|undochange|cleanup)\b/ },
  btrbk: { sub: /^(prune|clean)\b/, none: rehearsals },
  sanoid: { any: list('--prune-snapshots --force-prune'), none: ['--readonly'] },
  syncoid: { any: list('--force-delete --delete-target-snapshots') },
  'zfs-prune-snapshots': { none: rehearsals },
  kopia: [
    { sub: /^(snap(shot)? (delete|remove|rm)|blob (delete|rm)|content (delete|rm)|manifest (delete|rm))\b/ },
    { sub: /^snap(shot)? expire\b/, any: ['--delete'] },
  ],
  duplicacy: [
    { sub: /^prune\b/, none: ['-dry-run', '-d'] },
    { sub: /^restore\b/, any: ['-overwrite', '-delete'] },
  ],
  'duplicati-cli': { sub: /^(delete|purge|purge-broken-files)\b/, none: ['--dry-run'] },
  'rdiff-backup': [{ sub: /^remove\b/ }, { any: ['--remove-older-than'] }],
  rsnapshot: { sub: /^(delete|rollback)\b/, none: ['-t'] },
  bup: { sub: /^(rm|gc|prune-older)\b/, none: rehearsals },
  bupstash: { sub: /^(rm|remove|gc)\b/ },
  zbackup: { sub: /^gc\b/ },
  'proxmox-backup-client': { sub: /(^| )(forget|prune|destroy)\b/, none: ['--dry-run'] },
  'proxmox-backup-manager': { sub: /(^| )(remove|delete|destroy|forget|prune)\b/ },
  vzdump: { any: list('--prune-backups --remove') },
  backintime: { sub: /^(remove|remove-and-do-not-ask-again|smart-remove|restore)\b/ },
  veeamconfig: { sub: /(^| )(delete|remove)\b/ },
  burp: { any: ['--delete'] },
  'dirvish-expire': { none: ['--no-run'] },
  storebackupdel: { none: ['--print'] },
  amrmtape: { none: rehearsals },
  xtrabackup: { any: ['--force-non-empty-directories'] },
  mariabackup: { any: ['--force-non-empty-directories'] },
  etcdutl: { sub: /^snapshot restore\b/ },
  wbadmin: { sub: /^(delete|disable)\b/i },
  k8up: { sub: /(^| )prune\b/ },
}

/** Backups and snapshots: the copies that every other mistake is undone with. */
export const backupRules: readonly GuardRule[] = [
  {
    id: 'infrastructure/backups',
    program: Object.keys(backupDeletions),
    when: call => deletes(call, backupDeletions),
    severity: 'critical',
    reason: 'deletes backups or snapshots, or restores over what is there now',
    match: [
      'restic -r s3:s3.example.com/b forget --keep-last 1 --prune',
      'borg delete /mnt/backup/repo',
      'duplicity remove-older-than 30D --force file:///backup',
      'pgbackrest --stanza=main stanza-delete --force',
      'tarsnap --nuke --keyfile /root/k',
      'sudo timeshift --delete-all --scripted',
      'snapper -c home delete 1-400',
      'kopia snapshot expire --all --delete',
      'wal-g delete everything FORCE --confirm',
    ],
    notMatch: [
      'restic snapshots',
      'restic forget --keep-last 3 -n',
      'borg prune --dry-run --keep-daily 7 /mnt/r',
      'borg create /mnt/r::delete ~/work',
      'duplicity remove-older-than 30D file:///backup',
      'kopia snapshot expire --all',
      'tarsnap -c -f home ~/work',
      'timeshift --list',
      'snapper -c home list',
      'wal-g delete retain FULL 5',
    ],
  },
  {
    id: 'infrastructure/restore-over',
    program: list('restic rustic kopia'),
    sub: ['restore', 'snapshot restore'],
    when: call => {
      const target = call.value('-t', '--target') ?? (call.program === 'kopia' ? call.operands.at(-1) : null)
      return target && ['root', 'home', 'system'].includes(call.pathClass(target)) ? target : false
    },
    severity: 'high',
    reason: 'restores a backup over the system or your home folder',
    safer: 'restic restore latest --target /tmp/restored',
    match: ['restic restore latest --target /', 'restic restore 1a2b -t ~'],
    notMatch: ['restic restore latest --target /tmp/r', 'restic restore latest --target ./restored'],
  },
  {
    id: 'infrastructure/backup-console',
    program: ['bconsole'],
    when: ({ stdin }) => /^[ \t]*(delete|purge|prune|truncate|restore)\b/im.test((stdin.text ?? '').slice(0, 20_000)),
    severity: 'critical',
    reason: 'deletes backups or snapshots, or restores over what is there now',
    match: ["echo 'purge volume=Vol1' | bconsole", "bconsole <<< 'delete jobid=5 yes'"],
    notMatch: ["echo 'list jobs' | bconsole", 'bconsole'],
  },
]

const restic = {
  values: list(
    '-r --repo -p --password-file --password-command --repository-file -o --option --cache-dir --tag --host -H --keep-last -l --keep-daily -d --keep-weekly -w --keep-monthly -m --keep-yearly -y --keep-hourly --keep-within --group-by -g --path --target -t -P --use-profile',
  ),
}
const borg = {
  values: list(
    '-r --repo --rsh --remote-path -a --glob-archives --sort-by --first --last --keep-within --keep-hourly -H --keep-daily -d --keep-weekly -w --keep-monthly -m --keep-yearly -y --keep-last -P --prefix -e --exclude --compression -C --comment --lock-wait --umask',
  ),
}

export const backupGrammar: Grammars = {
  restic,
  rustic: restic,
  borg,
  borg2: borg,
  attic: borg,
  borgmatic: { values: list('-c --config -v --verbosity --repository --archive') },
  autorestic: { values: list('-c --config -b --backend -l --location') },
  resticprofile: { values: list('-c --config -n --name -f --format') },
  duplicity: { values: list('--name --archive-dir --encrypt-key --sign-key --exclude --include --full-if-older-than') },
  pgbackrest: { values: list('--stanza --repo --config --type --set --target') },
  barman: { values: list('-c --config -d -f --format') },
  'wal-g': { values: ['--config'] },
  pg_probackup: { values: list('-B --backup-path --instance -i -D -U -d') },
  pg_rman: { values: list('-B -D -A') },
  tarsnap: { values: list('-f --keyfile --cachedir -C -X -T --maxbw') },
  timeshift: { values: list('--snapshot --snapshot-device --target-device --comments --tags') },
  snapper: { values: list('-c --config -t --type -d --description --root') },
  btrbk: { values: list('-c --config -l --loglevel') },
  sanoid: { values: list('--configdir --cache-dir') },
  kopia: { values: list('--config-file --log-dir --password') },
  duplicacy: { words: true, values: list('-keep -r -storage -id -t -threads') },
  bup: { values: list('-d --bup-dir') },
  'rdiff-backup': { values: list('--remove-older-than --older-than --api-version -v') },
  'proxmox-backup-client': { values: list('--repository --ns --keep-last --keyfile') },
  pbm: { values: list('--mongodb-uri') },
  'clickhouse-backup': { values: list('-c --config -t --table') },
  backintime: { values: list('--config --profile --profile-id') },
}
