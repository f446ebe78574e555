import { list } from '../../word-list.ts'
import type { Grammars } from '../rule.ts'

export const diskGrammar: Grammars = {
  mkfs: { values: list('-t --type -L -U -b -i -m -N -O -E') },
  'mkfs.ext4': { values: list('-L -U -b -i -m -N -O -E -I -T -J -G') },
  'mkfs.xfs': { values: list('-L -b -d -i -l -m -n -r -s') },
  fdisk: { values: list('-b -o -t -u') },
  asr: { words: true },
  diskutil: {},
  parted: { values: ['-a', '--align'] },
  mdadm: { values: list('-l --level -n --raid-devices') },
  sgdisk: { values: list('-n --new -t --typecode -c --change-name') },
}
