import type { Arg } from '../../interpret/arguments.ts'
import type { Call } from '../../program-call.ts'
import { writeTargets } from '../../write-targets.ts'
import type { Domain, Rule } from '../rule.ts'

const list = (words: string) => words.split(' ')

/** An image file in the workspace is a file; everything else may be a disk. */
function isDisk(call: Call, arg: Arg): boolean {
  return !['workspace', 'build', 'tmp', 'sink'].includes(call.pathClass(arg))
}

function diskOf(call: Call): Arg | false {
  return call.operands.find(arg => isDisk(call, arg) && !/^\d+[kmgt]?$/i.test(arg.value)) ?? false
}

const makers = list(
  'mkfs mke2fs mkfs.ext2 mkfs.ext3 mkfs.ext4 mkfs.xfs mkfs.btrfs mkfs.vfat mkfs.fat mkfs.msdos mkfs.exfat mkfs.ntfs mkfs.f2fs mkfs.jfs mkfs.minix mkfs.cramfs mkfs.reiserfs mkntfs mkdosfs mkexfatfs mkswap newfs newfs_msdos newfs_apfs newfs_hfs',
)

const rules: readonly Rule[] = [
  {
    id: 'disk/write-device',
    program: ['>', '>>', 'dd', 'tee', 'cp', 'gcp', 'dcfldd', 'dc3dd', 'ddrescue', 'pv', 'install', 'mv'],
    when: call => {
      const targets = ['dcfldd', 'dc3dd'].includes(call.program)
        ? call.args.flatMap(arg =>
            /^(of|hof)=/.test(arg.value) ? [{ ...arg, value: arg.value.replace(/^\w+=/, '') }] : [],
          )
        : call.program === 'ddrescue'
          ? call.operands.slice(1, 2)
          : call.program === 'pv'
            ? call.values('-o', '--output')
            : writeTargets(call)
      return (
        targets.find(
          arg => call.pathClass(arg) === 'device' || (call.program === 'dd' && call.pathClass(arg) === 'dynamic'),
        ) ?? false
      )
    },
    severity: 'critical',
    reason: 'writes straight over a disk, past its file system',
    match: [
      'dd if=/dev/zero of=/dev/sda',
      'sudo dd if=x.iso of=/dev/disk2 bs=4m',
      'cat x > /dev/nvme0n1',
      'cp x.img /dev/sdb',
      'dd of="$DEV" if=x',
      'echo | tee /dev/sda1',
    ],
    notMatch: [
      'dd if=/dev/zero of=test.img bs=1M count=10',
      'dd if=/dev/urandom of=/dev/null',
      'cmd > /dev/null',
      'echo x > /dev/stderr',
      'dd if=a of=/tmp/b',
    ],
  },
  {
    id: 'disk/format',
    program: makers,
    when: diskOf,
    severity: 'critical',
    reason: 'makes a new file system: all that was there is gone',
    match: ['mkfs.ext4 /dev/sdb1', 'sudo mkfs -t ext4 /dev/sda', 'mkswap /dev/sdc', 'mkfs.xfs -f "$DISK"'],
    notMatch: ['mkfs.ext4 disk.img', 'mkfs.ext4 --help', 'man mkfs'],
  },
  {
    id: 'disk/partition',
    program: list('fdisk sfdisk gdisk sgdisk cfdisk parted partprobe cgdisk gpart gparted'),
    none: ['-l', '--list', '--dump', '-J'],
    when: call => {
      if (call.program === 'sgdisk' && call.has('-p', '--print', '-v', '-i')) return false
      if (call.program === 'sfdisk' && call.has('-d')) return false
      return call.args.length > 0 && !call.operands.some(({ value }) => ['print', 'show', 'list'].includes(value))
    },
    severity: 'critical',
    reason: 'changes the partitions of a disk',
    match: ['fdisk /dev/sda', 'parted /dev/sda mklabel gpt', 'sgdisk --zap-all /dev/sda', 'parted -s /dev/sdb rm 1'],
    notMatch: ['fdisk -l', 'sudo fdisk -l /dev/sda', 'parted /dev/sda print', 'lsblk', 'sgdisk -p /dev/sda'],
  },
  {
    id: 'disk/wipe',
    program: list('wipefs blkdiscard badblocks hdparm nvme sg_format scrub'),
    when: call => {
      if (call.program === 'wipefs') return call.has('-a', '--all', '-o', '--offset')
      if (call.program === 'badblocks') return call.has('-w', '-n')
      if (call.program === 'hdparm')
        return call.parsed.options.some(({ name }) =>
          /^--(security-erase|trim-sector|make-bad|write-sector|security-set)/.test(name),
        )
      if (call.program === 'nvme')
        return ['format', 'sanitize', 'delete-ns', 'write-zeroes'].includes(call.operands[0]?.value ?? '')
      return call.operands.length > 0
    },
    severity: 'critical',
    reason: 'wipes a disk',
    match: [
      'wipefs -a /dev/sdb',
      'blkdiscard /dev/nvme0n1',
      'badblocks -w /dev/sda',
      'hdparm --security-erase p /dev/sda',
      'nvme format /dev/nvme0',
    ],
    notMatch: ['wipefs /dev/sdb', 'hdparm -I /dev/sda', 'nvme list', 'badblocks -sv /dev/sda'],
  },
  {
    id: 'disk/volume',
    program: list('pvremove vgremove lvremove lvreduce vgreduce pvcreate vgcreate pvmove lvresize'),
    severity: 'critical',
    reason: 'removes or shrinks a volume with its data',
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
            ['subvolume delete', 'device remove', 'device delete', 'check'].some(words => call.isSub(words)) &&
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
          return (
            !call.has('-n', '-N') &&
            second === undefined &&
            first !== undefined &&
            isDisk(call, call.operands[0] ?? none)
          )
        case 'debugfs':
          return call.has('-w')
        case 'xfs_repair':
          return call.has('-L')
        default:
          return first !== undefined && !call.has('-l') && diskOf(call)
      }
    },
    severity: 'critical',
    reason: 'destroys or changes a pool, an array or an encrypted disk',
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
      return /^(delete|disable|deletelocalsnapshots)/.test(words)
    },
    severity: 'critical',
    reason: 'erases a disk, a volume or backups of it',
    match: [
      'diskutil eraseDisk JHFS+ X /dev/disk2',
      'diskutil apfs deleteContainer disk1',
      'tmutil delete /Volumes/B/x',
      'sudo diskutil zeroDisk /dev/disk3',
    ],
    notMatch: ['diskutil list', 'diskutil info disk0', 'tmutil status'],
  },
]

const none: Arg = { value: '\0', glob: false, quoted: true, from: 0, span: [0, 0] }

export const disk: Domain = {
  name: 'disk',
  grammar: {
    mkfs: { values: list('-t --type -L -U -b -i -m -N -O -E') },
    'mkfs.ext4': { values: list('-L -U -b -i -m -N -O -E -I -T -J -G') },
    'mkfs.xfs': { values: list('-L -b -d -i -l -m -n -r -s') },
    fdisk: { values: list('-b -o -t -u') },
    asr: { words: true },
    diskutil: {},
    parted: { values: ['-a', '--align'] },
    mdadm: { values: list('-l --level -n --raid-devices') },
    sgdisk: { values: list('-n --new -t --typecode -c --change-name') },
  },
  rules,
}
