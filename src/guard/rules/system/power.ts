import type { ProgramCall } from '../../program-call.ts'
import type { GuardRule } from '../rule.ts'

const vitalPrograms =
  /^(init|systemd.*|sshd?|dockerd|containerd|kubelet|postgres|postgresql|mysqld?|mongod|redis-server|nginx|apache2?|httpd|xorg|gdm3?|lightdm|gnome-shell|loginwindow|finder|dock|windowserver|launchd|cron|dbus.*|networkmanager|explorer|\.\*?|\*)$/i

/** Stopping machines, services and programs. */
export const powerRules: readonly GuardRule[] = [
  {
    id: 'system/power',
    program: [
      'shutdown',
      'reboot',
      'halt',
      'poweroff',
      'init',
      'telinit',
      'systemctl',
      'loginctl',
      'pm-suspend',
      'pm-hibernate',
      'kexec',
    ],
    oneOf: [
      { program: ['reboot', 'halt', 'poweroff', 'pm-suspend', 'pm-hibernate', 'kexec'] },
      { program: 'shutdown', argMatches: /^/, none: ['-c', '-k', '--show'] },
      { program: ['init', 'telinit'], words: /^[0156sS]( |$)/ },
      {
        program: 'systemctl',
        words:
          /^(reboot|poweroff|halt|kexec|suspend|hibernate|hybrid-sleep|rescue|emergency|soft-reboot|isolate|exit)( |$)/,
      },
      { program: 'loginctl', words: /^(terminate|kill)/ },
    ],
    severity: 'high',
    reason: 'shuts down the machine or everything running on it',
    match: ['sudo shutdown -h now', 'reboot', 'init 0', 'systemctl poweroff', 'sudo systemctl isolate rescue.target'],
    notMatch: [
      'shutdown -c',
      'systemctl status nginx',
      'git init',
      'npm init -y',
      'terraform init',
      'systemctl list-units',
    ],
  },
  {
    id: 'system/service',
    program: [
      'systemctl',
      'service',
      'rc-service',
      'initctl',
      'launchctl',
      'supervisorctl',
      'invoke-rc.d',
      'update-rc.d',
      'chkconfig',
      'sv',
      'monit',
      'pm2',
      'forever',
    ],
    oneOf: [
      { program: ['pm2', 'forever'], words: /^(delete|del|kill|stop|stopall|unstartup)( |$)/ },
      {
        program: ['systemctl', 'launchctl', 'supervisorctl', 'sv', 'monit'],
        words:
          /^(stop|disable|mask|restart|kill|reload-or-restart|try-restart|force-reload|revert|set-default|set-property|edit|daemon-reexec|unload|remove|bootout|enable|load|bootstrap|link|off|down|force-stop|shutdown|delete)( |$)/,
      },
      {
        program: ['service', 'rc-service', 'initctl', 'invoke-rc.d', 'update-rc.d', 'chkconfig'],
        words:
          / (stop|disable|mask|restart|kill|reload-or-restart|try-restart|force-reload|revert|set-default|set-property|edit|daemon-reexec|unload|remove|bootout|enable|load|bootstrap|link|off|down|force-stop|shutdown|delete)( |$)/,
      },
    ],
    severity: 'medium',
    reason: 'stops or changes a service of this machine',
    match: [
      'sudo systemctl stop postgresql',
      'systemctl disable --now ufw',
      'service nginx restart',
      'launchctl unload ~/Library/LaunchAgents/x.plist',
      'sudo systemctl enable evil.service',
      'pm2 delete all',
    ],
    notMatch: [
      'systemctl status nginx',
      'systemctl start nginx',
      'service nginx status',
      'launchctl list',
      'systemctl is-active x',
      'systemctl daemon-reload',
      'pm2 restart api',
      'pm2 logs',
    ],
  },
  {
    id: 'system/kill',
    program: ['kill', 'pkill', 'killall', 'killall5', 'skill', 'fuser', 'xkill'],
    when: call => {
      const { program, args, operands } = call
      if (program === 'killall5') return true
      if (program === 'kill') return killsAll(call)
      if (program === 'fuser')
        return (
          call.has('-k', '--kill') &&
          operands.some(arg => ['root', 'home', 'system', 'device'].includes(call.pathClass(arg)))
        )
      if (call.has('-l', '--list')) return false
      // -HUP and -9 are signals, not options.
      const options = call.parsed.options.filter(({ arg }) => !/^-([A-Z][A-Z\d]+|\d+)$/.test(arg.value))
      if (options.some(({ name }) => /^(-[uUg]|--e?uid|--user|--pgroup)$/.test(name))) return true
      return operands.find(({ value }) => vitalPrograms.test(value)) ?? (args.length > 0 && operands.length === 0)
    },
    severity: 'high',
    reason: 'stops programs that other users or the machine itself depend on',
    match: ['kill -9 -1', 'kill -9 1', 'pkill -u me', 'killall -9 sshd', 'kill -KILL -- -1', 'pkill -9 -f .'],
    notMatch: [
      'kill 4242',
      'kill -9 $PID',
      'pkill -f vite',
      'kill %1',
      'lsof -ti:3000 | xargs kill -9',
      'killall node',
      'killall -HUP vite',
      'fuser -k 3000/tcp',
      'kill -l',
    ],
  },
]

/** Whether it signals every process, or the first one. */
function killsAll({ args }: ProgramCall): boolean {
  const words = args.map(({ value }) => value)
  const targets = words.filter((word, i) => !(i === 0 && /^-/.test(word)) && word !== '--' && words[i - 1] !== '-s')
  return targets.some(word => word === '1' || word === '-1' || word === '0')
}
