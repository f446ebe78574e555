import type { GuardRule } from '../rule.ts'

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
    when: call =>
      call.program === 'chage' || call.program === 'authselect'
        ? !call.has('-l', '--list') && !/^(list|show|current|check)/.test(call.operands[0]?.value ?? '')
        : call.program === 'dscl'
          ? call.args.some(({ value }) => /^-?(create|delete|append|passwd|change|merge)$/i.test(value))
          : true,
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
      'hostnamectl',
      'timedatectl',
      'localectl',
      'date',
      'hwclock',
      'hostname',
      'scutil',
      'nvram',
      'defaults',
      'csrutil',
      'spctl',
      'bless',
      'systemsetup',
      'efibootmgr',
      'grub-install',
      'grub2-install',
      'update-grub',
      'grub-mkconfig',
      'update-initramfs',
      'dracut',
      'mkinitcpio',
      'bootctl',
      'fdesetup',
      'kernelstub',
      'grub-reboot',
      'grub-set-default',
      'grubby',
    ],
    when: call => {
      const [first, second] = call.operands.map(({ value }) => value)
      switch (call.program) {
        case 'hostnamectl':
        case 'timedatectl':
        case 'localectl':
          return /^set-|^hostname$/.test(first ?? '') && second !== undefined
        case 'date':
          return call.has('-s', '--set')
        case 'hwclock':
          return call.has('-w', '--systohc', '--set')
        case 'hostname':
          return first !== undefined
        case 'scutil':
          return call.has('--set')
        case 'nvram':
          return call.has('-c', '-d') || (first ?? '').includes('=')
        case 'defaults':
          return (
            first === 'delete' ||
            (first === 'write' &&
              /^(\/Library|-g|NSGlobalDomain|com\.apple\.(security|loginwindow|LaunchServices|alf))/.test(second ?? ''))
          )
        case 'csrutil':
          return first === 'disable' || first === 'clear'
        case 'spctl':
          return call.has('--master-disable', '--global-disable', '--disable')
        case 'bootctl':
          return first !== undefined && first !== 'status' && first !== 'list'
        case 'grubby':
          return !call.has('--info', '--default-kernel', '--default-index')
        case 'fdesetup':
          return /^(disable|remove|changerecovery)$/.test(first ?? '')
        case 'efibootmgr':
          return call.args.length > 0 && !call.has('-v')
        default:
          return true
      }
    },
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
