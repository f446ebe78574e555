import { list } from '../../word-list.ts'
import type { Grammars } from '../rule.ts'

export const filesystemGrammar: Grammars = {
  rm: {
    long: list(
      '--recursive --force --no-preserve-root --preserve-root --interactive --verbose --dir --one-file-system',
    ),
  },
  shred: { values: list('-n --iterations -s --size --random-source') },
  chmod: { long: list('--recursive --reference --verbose --changes --preserve-root --no-preserve-root') },
  chown: { values: ['--from'], long: list('--recursive --reference --from --no-preserve-root') },
  chgrp: { long: list('--recursive --reference --no-preserve-root') },
  truncate: { values: list('-s --size -r --reference') },
  tee: {},
  fallocate: { values: list('-o --offset -l --length') },
  xfs_io: { values: list('-c -p') },
  exiftool: { words: true },
  mogrify: { words: true, values: list('-resize -quality -format -path -crop -rotate -type -density') },
  ccencrypt: { values: list('-K --key -k --keyfile -E --envvar -S --suffix') },
  ccrypt: { values: list('-K --key -k --keyfile -E --envvar -S --suffix') },
  cp: { values: list('-t --target-directory -S --suffix') },
  mv: { values: list('-t --target-directory -S --suffix') },
  ln: { values: list('-t --target-directory -S --suffix') },
  install: {
    values: list('-t --target-directory -m --mode -o --owner -g --group -S --suffix'),
  },
  sed: { values: list('-e --expression -f --file -l') },
  rsync: {
    values: list(
      '-e --rsh --exclude --include --exclude-from --include-from --files-from -f --filter --port --bwlimit --backup-dir --suffix --timeout --log-file --chown --chmod --max-size --min-size --rsync-path --partial-dir --password-file --link-dest --compare-dest -T --temp-dir --info --out-format',
    ),
  },
  tar: {
    values: list(
      '-f --file -C --directory --exclude -T --files-from --transform --checkpoint-action --to-command -I --use-compress-program --strip-components',
    ),
  },
  unzip: { values: list('-d -x -P') },
}
