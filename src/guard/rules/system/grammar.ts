import { list } from '../../word-list.ts'
import type { Grammars } from '../rule.ts'

export const systemGrammar: Grammars = {
  systemctl: {
    values: list('-t --type -p --property -H --host -M --machine -n --lines -o --output --root -s --signal'),
  },
  crontab: { values: ['-u'] },
  journalctl: { values: list('-u --unit -n --lines -S --since -U --until -o --output -p --priority') },
  pkill: { values: list('-u --euid -U --uid -g --pgroup -t --terminal -P --parent -s --session -G --signal') },
  killall: { values: list('-u --user -s --signal -o -y -n') },
  iptables: {
    values: list('-t --table -p --protocol -s --source -d --destination -j --jump --dport --sport -i -o -m'),
  },
  ip: { values: ['-n', '-family'], words: true },
  usermod: { values: list('-d -e -f -g -G -l -p -s -u -c') },
  at: { values: list('-f -q -t') },
  sysctl: { values: ['-f', '-p'] },
}
