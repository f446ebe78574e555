import { list } from '../../word-list.ts'
import type { Grammars } from '../rule.ts'

export const secretGrammar: Grammars = {
  'ssh-keygen': { values: list('-f -N -P -t -b -C -m -a -E -I -n -V -z -s -D -O -r -W -w -Y') },
  gpg: { values: list('-r --recipient -u --local-user -o --output --homedir --keyring --passphrase --default-key') },
  security: { values: list('-a -s -l -k -o -t -f -P -D -j -r -p -c') },
  vault: { words: true, values: list('-address -namespace -field -format -mount -path') },
  op: { values: list('--vault --account --fields --format --env-file --session -o --out-file') },
  doppler: { values: list('-p --project -c --config -t --token') },
  heroku: { values: list('-a --app -r --remote') },
  sops: { values: list('--age -k --kms --pgp -p --config --input-type --output-type --extract --output --set') },
}
