import { writeTargets } from '../../write-targets.ts'
import type { GuardRule } from '../rule.ts'

/** The machine's protections and records. */
export const protectionRules: readonly GuardRule[] = [
  {
    id: 'system/firewall',
    program: [
      'iptables',
      'ip6tables',
      'iptables-restore',
      'nft',
      'ufw',
      'firewall-cmd',
      'pfctl',
      'ipset',
      'ebtables',
      'socketfilterfw',
      'ip6tables-restore',
      'iptables-legacy',
      'iptables-nft',
      'arptables',
      'csf',
      'fail2ban-client',
    ],
    none: [
      '-L',
      '-S',
      '--list',
      '--list-rules',
      '--list-all',
      '--state',
      '--get-active-zones',
      '-s',
      '--list-ports',
      '--list-services',
      '--list-all-zones',
      '--getglobalstate',
    ],
    when: call => {
      const [first] = call.operands.map(({ value }) => value)
      if (call.program === 'ufw') return !['status', 'version', 'show', 'app'].includes(first ?? 'status')
      if (call.program === 'fail2ban-client') return /^(stop|unban|unload|set)$/.test(first ?? '')
      if (call.program === 'csf') return call.has('-x', '-f', '--disable', '--stop')
      if (call.program === 'nft') return !['list', 'monitor'].includes(first ?? 'list')
      if (/-restore$/.test(call.program)) return !call.has('-t', '--test')
      return call.args.length > 0
    },
    severity: 'high',
    reason: 'opens, closes or clears the firewall',
    match: [
      'iptables -F',
      'sudo ufw disable',
      'nft flush ruleset',
      'pfctl -d',
      'firewall-cmd --add-port=22/tcp',
      'iptables -P INPUT ACCEPT',
    ],
    notMatch: ['iptables -L', 'ufw status', 'nft list ruleset', 'iptables -t nat -L -n', 'pfctl -s rules'],
  },
  {
    id: 'system/guards-off',
    program: [
      'setenforce',
      'aa-disable',
      'aa-teardown',
      'aa-complain',
      'auditctl',
      'setsebool',
      'fwupdmgr',
      'mokutil',
      'ufw-disable',
      'chcon',
      'semanage',
      'semodule',
      'apparmor_parser',
      'tccutil',
    ],
    when: call => {
      if (call.program === 'setenforce') return /^(0|permissive)$/i.test(call.operands[0]?.value ?? '')
      if (call.program === 'auditctl') return call.has('-D', '-e')
      if (call.program === 'semodule') return call.has('-d', '--disable', '-r', '--remove', '-i', '--install')
      if (call.program === 'apparmor_parser') return call.has('-R', '--remove', '-C', '--Complain')
      if (call.program === 'mokutil') return call.has('--disable-validation')
      if (call.program === 'fwupdmgr' || call.program === 'chcon') return false
      return (call.args.length > 0 || call.program === 'aa-teardown') && call.operands[0]?.value !== 'list'
    },
    severity: 'high',
    reason: 'turns off a protection of the system',
    match: ['setenforce 0', 'auditctl -e 0', 'aa-teardown x', 'setsebool -P httpd_can_network_connect 1'],
    notMatch: ['setenforce 1', 'getenforce', 'auditctl -l', 'semanage list'],
  },
  {
    id: 'system/traces',
    program: ['history', 'journalctl', 'dmesg', 'logrotate', 'last', 'fc', 'unset', 'export', 'set'],
    when: call => {
      if (call.program === 'history') return call.has('-c', '-w') && call.has('-c')
      if (call.program === 'unset') return call.operands.some(({ value }) => value === 'HISTFILE')
      if (call.program === 'export')
        return call.operands.some(({ value }) => /^HIST(FILE=(\/dev\/null)?|(FILE)?SIZE=0)$/.test(value))
      if (call.program === 'set') return call.args[0]?.value === '+o' && call.args[1]?.value === 'history'
      if (call.program === 'journalctl')
        return call.parsed.options.some(({ name }) => /^--(vacuum|rotate|flush)/.test(name))
      if (call.program === 'dmesg') return call.has('-c', '-C', '--clear', '--read-clear')
      return call.program === 'logrotate' && call.has('-f', '--force')
    },
    severity: 'medium',
    reason: 'deletes the record of what happened',
    match: [
      'history -c',
      'unset HISTFILE',
      'export HISTFILE=/dev/null',
      'set +o history',
      'journalctl --vacuum-time=1s',
      'dmesg -C',
      'sudo logrotate -f /etc/logrotate.conf',
    ],
    notMatch: [
      'history',
      'journalctl -u nginx',
      'dmesg | tail',
      'history 20',
      'export HISTSIZE=10000',
      'set -o pipefail',
    ],
  },
  {
    id: 'system/history-file',
    program: ['>', 'ln', 'cp', 'mv', 'tee'],
    when: call => writeTargets(call).find(({ value }) => /(^|\/)\.\w+_history$/.test(value)) ?? false,
    severity: 'medium',
    reason: 'overwrites the record of what was typed',
    match: ['ln -sf /dev/null ~/.bash_history', 'echo x > ~/.zsh_history'],
    notMatch: ['tail ~/.bash_history', 'cp ~/.bash_history history.txt'],
  },
  {
    id: 'system/kernel',
    program: ['insmod', 'rmmod', 'modprobe', 'sysctl', 'swapoff', 'mount', 'umount', 'depmod', 'kmod'],
    when: call => {
      const { operands } = call
      if (call.program === 'sysctl')
        return (
          call.has('-w', '--write', '-p', '--load', '--system') || operands.some(({ value }) => /^[\w.]+=/.test(value))
        )
      if (call.program === 'mount')
        return (
          call.args.some(({ value }) => /\bremount\b/.test(value)) ||
          (call.has('--bind', '--rbind', '--move') &&
            ['system', 'home'].includes(operands[1] ? call.pathClass(operands[1]) : 'tmp')) ||
          operands.slice(1, 2).some(arg => call.pathClass(arg) === 'root')
        )
      if (call.program === 'umount')
        return (
          call.has('-a', '-l', '-f') ||
          operands.some(
            arg => ['root', 'home'].includes(call.pathClass(arg)) || /^\/(boot|usr|var|home|etc)\b/.test(arg.value),
          )
        )
      if (call.program === 'modprobe' || call.program === 'kmod' || call.program === 'depmod')
        return call.has('-r', '--remove')
      return call.args.length > 0
    },
    severity: 'high',
    reason: 'changes the running kernel or the mounted file systems',
    match: [
      'insmod evil.ko',
      'rmmod ext4',
      'sysctl -w kernel.randomize_va_space=0',
      'mount -o remount,rw /',
      'swapoff -a',
      'umount -l /home',
      'modprobe -r nvidia',
    ],
    notMatch: ['sysctl -a', 'sysctl kernel.pid_max', 'mount', 'lsmod', 'umount /mnt/usb', 'mount | grep ext4'],
  },
  {
    id: 'system/network-down',
    program: ['ip', 'ifconfig', 'ifdown', 'nmcli', 'route', 'networksetup', 'iwconfig', 'rfkill', 'resolvectl'],
    when: call => {
      const words = call.args.map(({ value }) => value).join(' ')
      switch (call.program) {
        case 'ip':
          return /\b(flush|del|delete|down|set|replace)\b/.test(words) && !/\bnetns exec\b/.test(words)
        case 'ifconfig':
          return /\b(down|delete)\b/.test(words)
        case 'nmcli':
          return /\b(delete|down|off|disconnect|modify)\b/.test(words)
        case 'route':
          return /\b(del|delete|flush|add)\b/.test(words)
        case 'networksetup':
          return /-set|-remove/.test(words)
        case 'rfkill':
          return /\bblock\b/.test(words)
        case 'resolvectl':
          return /^(dns|domain|dnssec|dnsovertls|revert|llmnr)\s+\S+\s+\S/.test(words)
        case 'ifdown':
          return true
        default:
          return false
      }
    },
    severity: 'medium',
    reason: "changes or disconnects this machine's network",
    match: ['ip link set eth0 down', 'ifconfig en0 down', 'ip route flush table main', 'nmcli networking off'],
    notMatch: ['ip addr', 'ip route show', 'ifconfig', 'nmcli device status', 'ip link show'],
  },
]
