import { list } from '../../word-list.ts'
import type { GuardRule } from '../rule.ts'
import { diskOf, isDisk } from './targets.ts'

/** Layers between disks and files: volumes, pools, arrays, encryption. */
export const volumeRules: readonly GuardRule[] = [
  {
    id: 'disk/volume',
    program: list('pvremove vgremove lvremove lvreduce vgreduce pvcreate vgcreate pvmove lvresize'),
    severity: 'critical',
    reason: 'removes or shrinks a volume and its data',
    match: ['lvremove -f vg0/data', 'vgremove vg0', 'pvcreate /dev/sdb'],
    notMatch: ['lvs', 'pvdisplay', 'lvremove --help'],
  },
  {
    id: 'disk/pool',
    program: [
      'zpool',
      'zfs',
      'btrfs',
      'mdadm',
      'cryptsetup',
      'dmsetup',
      'tune2fs',
      'resize2fs',
      'xfs_repair',
      'e2fsck',
      'fsck',
      'debugfs',
      'mdadm',
    ],
    when: call => {
      const [target] = call.operands
      const [first, second] = call.operands.map(({ value }) => value)
      switch (call.program) {
        case 'zpool':
          return (
            ['destroy', 'labelclear', 'create', 'remove', 'detach', 'split', 'offline'].includes(first ?? '') &&
            !call.has('-n')
          )
        case 'zfs':
          return ['destroy', 'rollback'].includes(first ?? '') && !call.has('-n')
        case 'btrfs':
          return (
            // btrfs understands beginnings of its words.
            /^(su\w* d\w*|dev\w* (rem?\w*|del\w*)|check)$/.test(first === 'check' ? 'check' : `${first} ${second}`) &&
            (first !== 'check' || call.has('--repair'))
          )
        case 'mdadm':
          return (
            call.parsed.options.some(({ name }) => /^--(zero-superblock|create|stop|remove|fail)$/.test(name)) ||
            call.has('-C', '-S', '-r', '-f')
          )
        case 'cryptsetup':
          return ['luksFormat', 'erase', 'luksErase', 'luksKillSlot', 'luksRemoveKey', 'reencrypt'].includes(
            first ?? '',
          )
        case 'dmsetup':
          return ['remove', 'remove_all', 'wipe_table'].includes(first ?? '')
        case 'fsck':
        case 'e2fsck':
          return !call.has('-n', '-N') && second === undefined && target !== undefined && isDisk(call, target)
        case 'debugfs':
          return call.has('-w')
        case 'xfs_repair':
          return call.has('-L')
        default:
          return first !== undefined && !call.has('-l') && diskOf(call)
      }
    },
    severity: 'critical',
    reason: 'destroys or changes a storage pool, an array or an encrypted disk',
    match: [
      'zpool destroy tank',
      'zfs destroy -r tank/data',
      'btrfs subvolume delete /data',
      'mdadm --zero-superblock /dev/sda',
      'cryptsetup luksFormat /dev/sda2',
      'resize2fs /dev/sda1 10G',
      'fsck -y /dev/sda1',
    ],
    notMatch: [
      'zpool status',
      'zfs list',
      'btrfs subvolume list /',
      'mdadm --detail /dev/md0',
      'cryptsetup status x',
      'fsck -N /dev/sda',
      'tune2fs -l /dev/sda1',
    ],
  },
  {
    id: 'disk/macos',
    program: ['diskutil', 'asr', 'tmutil'],
    when: call => {
      const words = call.operands
        .map(({ value }) => value.toLowerCase())
        .slice(0, 3)
        .join(' ')
      if (call.program === 'diskutil')
        return /^(erase|partition|zero|random|secure|reformat|repartition|apfs (delete|erase)|cs (delete|remove)|appleraid (delete|create)|resize|splitpartition|mergepartitions)/.test(
          words,
        )
      if (call.program === 'asr') return call.has('--erase') || words.startsWith('restore')
      return /^(delete|disable|thinlocalsnapshots|removedestination|restore)/.test(words)
    },
    severity: 'critical',
    reason: 'erases a disk, a volume or its backups',
    match: [
      'diskutil eraseDisk JHFS+ X /dev/disk2',
      'diskutil apfs deleteContainer disk1',
      'tmutil delete /Volumes/B/x',
      'sudo diskutil zeroDisk /dev/disk3',
    ],
    notMatch: ['diskutil list', 'diskutil info disk0', 'tmutil status'],
  },
]
