import { list } from '../../word-list.ts'
import type { GuardRule } from '../rule.ts'

const alwaysSettings = list(
  'grub-install grub2-install update-grub grub-mkconfig update-initramfs dracut mkinitcpio kernelstub grub-reboot grub-set-default bless systemsetup',
)

/** Accounts, root shells, scheduled jobs and settings of the machine. */
export const accountRules: readonly GuardRule[] = [
  {
    id: 'system/accounts',
    program: [
      'useradd',
      'adduser',
      'userdel',
      'deluser',
      'usermod',
      'groupadd',
      'groupdel',
      'groupmod',
      'delgroup',
      'addgroup',
      'gpasswd',
      'passwd',
      'chpasswd',
      'chsh',
      'chfn',
      'newusers',
      'vipw',
      'vigr',
      'visudo',
      'dscl',
      'sysadminctl',
      'dseditgroup',
      'chage',
      'pam-auth-update',
      'authselect',
      'authconfig',
      'dsenableroot',
    ],
    none: ['-c', '-S', '--status'],
    unless: [
      { program: ['chage', 'authselect'], any: ['-l', '--list'] },
      { program: ['chage', 'authselect'], words: /^(list|show|current|check)/ },
      { program: 'dscl', unless: { argMatches: /^-?(create|delete|append|passwd|change|merge)$/i } },
    ],
    severity: 'high',
    reason: 'changes accounts, groups or passwords of this machine',
    match: [
      'sudo userdel -r deploy',
      'useradd -m evil',
      'usermod -aG sudo me',
      'echo "root:x" | chpasswd',
      'passwd root',
      'dscl . -delete /Users/x',
      'sudo chage -E -1 dev',
    ],
    notMatch: ['id', 'getent passwd', 'cat /etc/passwd', 'dscl . -list /Users', 'visudo -c', 'chage -l me'],
  },
  {
    id: 'system/root-shell',
    program: ['sudo', 'su', 'doas', 'bash', 'sh', 'zsh', 'fish', 'pkexec', 'run0'],
    when: call => {
      if (['bash', 'sh', 'zsh', 'fish'].includes(call.program)) {
        return (
          call.frame.root && call.stdin.text === '' && call.args.every(({ value }) => /^-[il]+$|^--login$/.test(value))
        )
      }
      if (call.program === 'su') return !call.has('-c', '--command', '--session-command') && call.stdin.text === ''
      return call.args.length > 0 && call.args.every(({ value }) => /^-[isE]+$|^--(login|shell)$/.test(value))
    },
    severity: 'medium',
    reason: 'opens a root shell, where further commands go unseen',
    match: ['sudo su', 'sudo -i', 'sudo bash', 'su -', 'sudo -s', 'doas sh'],
    notMatch: ['sudo ls', 'bash', 'su -c "ls" me', 'bash script.sh', 'sudo -v', 'sudo -l'],
  },
  {
    id: 'system/schedule',
    program: ['crontab', 'at', 'batch'],
    when: call => {
      if (call.program !== 'crontab') return !call.has('-l', '-c', '-V')
      return call.has('-r', '-e', '-i') || (!call.has('-l') && (call.operands.length > 0 || call.stdin.text !== ''))
    },
    severity: 'high',
    reason: 'changes or deletes scheduled jobs',
    match: [
      'crontab -r',
      'crontab new.cron',
      '(crontab -l; echo "* * * * * x") | crontab -',
      'echo "rm x" | at now',
      'crontab -u root -e',
    ],
    notMatch: ['crontab -l', 'atq', 'sudo crontab -l -u root'],
  },
  {
    id: 'system/settings',
    program: [
      ...alwaysSettings,
      ...list(
        'hostnamectl timedatectl localectl date hwclock hostname scutil nvram defaults csrutil spctl efibootmgr bootctl fdesetup grubby',
      ),
    ],
    oneOf: [
      { program: alwaysSettings },
      { program: ['hostnamectl', 'timedatectl', 'localectl'], words: /^(set-\S*|hostname) ./ },
      { program: 'date', any: ['-s', '--set'] },
      { program: 'hwclock', any: ['-w', '--systohc', '--set'] },
      { program: 'hostname', operandMatches: /^/ },
      { program: 'scutil', any: ['--set'] },
      { program: 'nvram', any: ['-c', '-d'] },
      { program: 'nvram', words: /^[^ ]*=/ },
      { program: 'defaults', sub: 'delete' },
      {
        program: 'defaults',
        words: /^write (\/Library|-g|NSGlobalDomain|com\.apple\.(security|loginwindow|LaunchServices|alf))/,
      },
      { program: 'csrutil', sub: ['disable', 'clear'] },
      { program: 'spctl', any: ['--master-disable', '--global-disable', '--disable'] },
      { program: 'bootctl', operandMatches: /^/, notWords: /^(status|list)( |$)/ },
      { program: 'grubby', none: ['--info', '--default-kernel', '--default-index'] },
      { program: 'fdesetup', sub: ['disable', 'remove', 'changerecovery'] },
      { program: 'efibootmgr', argMatches: /^/, none: ['-v'] },
    ],
    severity: 'medium',
    reason: 'changes settings of the whole machine',
    match: [
      'hostnamectl set-hostname x',
      'date -s "2020-01-01"',
      'csrutil disable',
      'grub-install /dev/sda',
      'defaults delete com.apple.dock',
      'nvram -c',
      'sudo spctl --master-disable',
    ],
    notMatch: [
      'hostnamectl',
      'date',
      'date +%s',
      'hostname',
      'timedatectl status',
      'defaults read com.apple.dock',
      'date -d tomorrow',
    ],
  },
]
