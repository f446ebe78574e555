import { list } from '../../word-list.ts'
import { writeTargets } from '../../write-targets.ts'
import type { GuardRule } from '../rule.ts'
import { diskOf } from './targets.ts'

const formatters = list(
  'mkfs mke2fs mkfs.ext2 mkfs.ext3 mkfs.ext4 mkfs.xfs mkfs.btrfs mkfs.vfat mkfs.fat mkfs.msdos mkfs.exfat mkfs.ntfs mkfs.f2fs mkfs.jfs mkfs.minix mkfs.cramfs mkfs.reiserfs mkntfs mkdosfs mkexfatfs mkswap newfs newfs_msdos newfs_apfs newfs_hfs',
)

/** Whole disks and their partitions. */
export const deviceRules: readonly GuardRule[] = [
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
    reason: 'writes directly to a disk, bypassing its file system',
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
    program: formatters,
    when: diskOf,
    severity: 'critical',
    reason: 'formats a disk and erases everything on it',
    match: ['mkfs.ext4 /dev/sdb1', 'sudo mkfs -t ext4 /dev/sda', 'mkswap /dev/sdc', 'mkfs.xfs -f "$DISK"'],
    notMatch: ['mkfs.ext4 disk.img', 'mkfs.ext4 --help', 'man mkfs'],
  },
  {
    id: 'disk/partition',
    program: list('fdisk sfdisk gdisk sgdisk cfdisk parted partprobe cgdisk gpart gparted'),
    none: ['-l', '--list', '--dump', '-J'],
    argMatches: /^/,
    unless: [
      { program: 'sgdisk', any: ['-p', '--print', '-v', '-i'] },
      { program: 'sfdisk', any: ['-d'] },
      { operandMatches: /^(print|show|list)$/ },
    ],
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
]
