import { list } from '../../word-list.ts'
import type { Grammars } from '../rule.ts'

export const networkGrammar: Grammars = {
  curl: {
    values: list(
      '-o --output --output-dir -d --data --data-binary --data-raw --data-urlencode --data-ascii --json -F --form --form-string -H --header -X --request -u --user -A --user-agent -e --referer -b --cookie -c --cookie-jar -x --proxy -T --upload-file -m --max-time --connect-timeout --retry --retry-delay --retry-max-time -w --write-out -K --config -E --cert --key --cacert --capath --resolve --interface -r --range -C --continue-at -D --dump-header --limit-rate --max-redirs -z --time-cond -U --proxy-user --noproxy --socks5 --unix-socket --url --oauth2-bearer -Q --quote --ciphers --tls-max --aws-sigv4 -t -y -Y',
    ),
  },
  ssh: { values: list('-b -c -D -E -e -F -I -i -J -L -l -m -O -o -p -Q -R -S -W -w'), posix: true },
  scp: { values: list('-c -D -F -i -J -l -o -P -S -X') },
  sftp: { values: list('-b -B -c -D -F -i -J -l -o -P -R -s -S') },
  xterm: { words: true, values: ['-display', '-e', '-T', '-title', '-geometry'] },
  aria2c: { values: list('-o --out -d --dir -i --input-file -x -s -j -k --header') },
  http: {
    values: list('-a --auth -A --auth-type -o --output -s --style -p --print --session --timeout --proxy --verify'),
  },
  https: {
    values: list('-a --auth -A --auth-type -o --output -s --style -p --print --session --timeout --proxy --verify'),
  },
  xh: {
    values: list('-a --auth -A --auth-type -o --output -s --style -p --print --session --timeout --proxy --verify'),
  },
  nc: { values: list('-w -p -s -i -q -X -x -T -I -O -P -V -e -c -g') },
  ncat: { values: list('-w -p -s -i -e -c --exec --sh-exec --proxy --proxy-type --proxy-auth -g -G -m -d') },
  mail: { values: list('-s -a -b -c -r -A -S') },
  mutt: { values: list('-s -a -b -c -e -f -F -H -i') },
  wget: {
    values: list(
      '-O --output-document -P --directory-prefix -o --output-file -a --append-output -i --input-file -U --user-agent --header --post-data --post-file --body-data --body-file --method --user --password -t --tries -T --timeout -w --wait -A --accept -R --reject -D --domains -l --level -Q --quota -e --execute --referer --limit-rate -B --base --ca-certificate --certificate',
    ),
  },
}
