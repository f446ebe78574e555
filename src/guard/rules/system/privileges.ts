import type { Argument } from '../../interpret/arguments.ts'
import type { ProgramCall } from '../../program-call.ts'
import { list } from '../../word-list.ts'
import { writeTargets } from '../../write-targets.ts'
import type { GuardRule } from '../rule.ts'

/** What gives programs more rights than the user has, or has them run in another's place. */
export const privilegeRules: readonly GuardRule[] = [
  {
    id: 'system/capabilities',
    program: ['setcap', 'filecap', 'dpkg-statoverride'],
    none: ['-v', '-h', '-r', '--list'],
    oneOf: [
      { program: 'dpkg-statoverride', any: ['--add', '--update'] },
      { program: ['setcap', 'filecap'], words: / / },
    ],
    severity: 'high',
    reason: 'gives a program rights of root, no matter who starts it',
    match: [
      'sudo setcap cap_setuid+ep /usr/bin/python3',
      'setcap cap_net_bind_service=+ep ./server',
      'sudo dpkg-statoverride --add root root 4755 /usr/bin/x',
    ],
    notMatch: ['getcap -r /usr/bin', 'setcap -v cap_net_raw+ep x', 'setcap -r ./server', 'dpkg-statoverride --list'],
  },
  {
    id: 'system/immutable-off',
    program: ['chattr', 'chflags'],
    oneOf: [
      { program: 'chattr', argMatches: /^-(?![Vfp]+$)[a-zA-Z]*[ia]/ },
      { program: 'chflags', argMatches: /(^|,)no(s|u)?(chg|change|imm\w*|appnd|append|schg|uchg)(,|$)|^0$/ },
    ],
    severity: 'high',
    reason: 'takes away the protection of files that nobody may change',
    match: [
      'sudo chattr -i /etc/resolv.conf',
      'chattr -R -a /var/log/audit',
      'chattr -ia x',
      'sudo chflags -R noschg /Library/x',
      'chflags nouchg notes.txt',
    ],
    notMatch: ['lsattr src', 'chattr +C images', 'chflags hidden x', 'chattr -R +d data'],
  },
  {
    id: 'system/set-user-id',
    program: ['install', 'ginstall', 'mkdir'],
    when: ({ args }) =>
      args.find(({ value }, i) => {
        const mode = /^-m(.+)|^--mode=(.+)/.exec(value)
        const given = mode?.[1] ?? mode?.[2] ?? (/^(-m|--mode)$/.test(args[i - 1]?.value ?? '') ? value : '')
        return /^0?[2467][0-7]{3}$|^[ugoa]*[+=][rwxX]*s/.test(given)
      }) ?? false,
    severity: 'high',
    reason: "makes a program run with its owner's rights, no matter who starts it",
    match: ['install -m 4755 helper ~/tools/helper', 'sudo install --mode=u+s x /opt/x'],
    notMatch: ['install -m 755 x ~/tools/x', 'mkdir -m 700 private'],
  },
  {
    id: 'system/access-list',
    program: 'setfacl',
    none: ['--test'],
    operandIn: ['root', 'home', 'system', 'device'],
    operandMatches: /\//,
    severity: 'high',
    reason: 'changes who can access system files or your home folder',
    match: ['sudo setfacl -m u:dev:rw /etc/shadow', 'setfacl -b /var/log', 'setfacl -R -m o::rx ~/'],
    notMatch: ['getfacl /etc/shadow', 'setfacl -m u:ci:rx dist'],
  },
  {
    id: 'system/shadow-program',
    program: list('> >> tee cp gcp mv gmv ln install curl wget dd'),
    when: shadowedProgram,
    severity: 'high',
    reason: 'puts a program of a well-known name where the shell finds it first',
    match: [
      "printf '#!/bin/sh\\n' > ~/.local/bin/git",
      'ln -s /home/me/project/wrap ~/bin/sudo',
      'cp ssh ~/.local/bin/',
      'curl -o ~/bin/ls https://example.com/ls',
    ],
    notMatch: [
      'cp target/release/mytool ~/.local/bin/',
      'curl -Lo ~/.local/bin/kubectl https://dl.k8s.io/kubectl',
      'ln -s /usr/bin/python3 ~/.local/bin/python',
      'echo x > bin/git',
      'ln -s $(which fdfind) ~/.local/bin/fd',
    ],
  },
  {
    id: 'system/start-later',
    program: list('systemd-run loginctl rc-update update-rc.d chkconfig launchctl incrontab fcrontab'),
    when: startsLater,
    severity: 'high',
    reason: 'has programs start later or with the machine, when nobody is asked',
    match: [
      'sudo systemd-run --on-boot=60 --on-unit-active=5m /tmp/x',
      'systemd-run --user --on-calendar=daily ./sync.sh',
      'sudo loginctl enable-linger dev',
      'sudo rc-update add x default',
      'launchctl submit -l x -- /tmp/x',
      'sudo update-rc.d x defaults',
    ],
    notMatch: [
      'systemd-run --user --scope npm test',
      'loginctl list-sessions',
      'rc-update show',
      'launchctl list',
      'chkconfig --list',
    ],
  },
  {
    id: 'system/trust-certificate',
    program: list('update-ca-certificates update-ca-trust trust security certutil keytool'),
    when: trustsCertificate,
    severity: 'high',
    reason: 'makes the machine trust another certificate authority, which can then read its traffic',
    match: [
      'sudo update-ca-certificates',
      'trust anchor proxy.crt',
      'security add-trusted-cert -d -r trustRoot ca.crt',
      'certutil -A -n proxy -t C,, -i ca.crt -d sql:/home/me/.pki/nssdb',
      'keytool -importcert -cacerts -file ca.crt',
    ],
    notMatch: ['trust list', 'certutil -L -d .', 'keytool -importcert -keystore test.jks -file ca.crt'],
  },
]

const personalBins = /\/(bin|\.local\/bin|\.bin|\.cargo\/bin|go\/bin|\.npm-global\/bin)$/
const wellKnown = new Set(
  list(
    'sudo su doas ssh ssh-add ssh-agent scp sftp git gpg gpg2 ls cat cp mv rm ps top grep find sed awk sh bash zsh dash env which login passwd id curl wget tar make gcc cc ping systemctl apt apt-get dnf yum pacman brew less man vi vim open xdg-open python python3 pip pip3 npm node',
  ),
)

/** Only folders of the user: those of the system are asked about anyway. */
function shadowedProgram(call: ProgramCall): Argument | false {
  const [source] = call.operands
  // What links to a program of the system, or to another version of it, is a name for it.
  if (
    call.program === 'ln' &&
    source &&
    (/^\/(usr|opt|bin|nix)\//.test(source.value) || /\/bin\/[^/]+$/.test(source.value))
  )
    return false
  return (
    writeTargets(call).find(arg => {
      const { path } = call.path(arg)
      if (path === null || !['outside', 'home'].includes(call.pathClass(arg))) return false
      if (personalBins.test(path))
        return call.operands.some(({ value }) => wellKnown.has(value.slice(value.lastIndexOf('/') + 1)))
      const at = path.lastIndexOf('/')
      return personalBins.test(path.slice(0, at)) && wellKnown.has(path.slice(at + 1))
    }) ?? false
  )
}

function startsLater(call: ProgramCall): boolean {
  const [first, second] = call.operands.map(({ value }) => value)
  switch (call.program) {
    case 'systemd-run':
      return call.args.some(({ value }) => /^--(on-\w|timer-property|path-property)/.test(value))
    case 'loginctl':
      return first === 'enable-linger'
    case 'rc-update':
      return first === 'add' || first === 'del' || first === 'delete'
    case 'update-rc.d':
      return second === 'defaults' || second === 'enable'
    case 'chkconfig':
      return second === 'on' || call.has('--add')
    case 'launchctl':
      return first === 'submit' || first === 'setenv'
    default:
      return !call.has('-l')
  }
}

function trustsCertificate(call: ProgramCall): boolean {
  const words = call.args.map(({ value }) => value)
  switch (call.program) {
    case 'update-ca-certificates':
      return !call.has('-h')
    case 'update-ca-trust':
      return true
    case 'trust':
      return words[0] === 'anchor'
    case 'security':
      return words[0] === 'add-trusted-cert'
    case 'certutil':
      return words.includes('-A') || words.includes('-addstore')
    default:
      return words.includes('-importcert') && words.some(word => word === '-cacerts' || /\/cacerts$/.test(word))
  }
}
