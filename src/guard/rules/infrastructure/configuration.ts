import type { ProgramCall } from '../../program-call.ts'
import { list } from '../../word-list.ts'
import { firstWords } from '../first-words.ts'
import type { GuardRule } from '../rule.ts'

/** Tools that configure machines. */
export const configurationRules: readonly GuardRule[] = [
  {
    id: 'infrastructure/ansible',
    program: ['ansible', 'ansible-playbook', 'ansible-pull', 'ansible-vault', 'ansible-console', 'ansible-navigator'],
    when: call => {
      if (call.program === 'ansible') return changesMachines(call)
      if (call.program === 'ansible-vault') return /^(decrypt|view|rekey)\b/.test(firstWords(call))
      if (call.program === 'ansible-pull' || call.program === 'ansible-console') return true
      return (
        call.operands.length > 0 &&
        !call.has('-C', '--check', '--syntax-check', '--list-tasks', '--list-hosts', '--list-tags')
      )
    },
    severity: 'high',
    reason: 'changes every machine in the inventory, or shows secrets',
    safer: 'ansible-playbook site.yml --check --diff',
    rewrite: { program: 'ansible-playbook', append: '--check --diff' },
    match: [
      'ansible-playbook site.yml',
      'ansible-playbook -i prod site.yml -b',
      "ansible all -a 'reboot' -b",
      "ansible web -m shell -a 'ls'",
      'ansible-vault decrypt s.yml',
    ],
    notMatch: [
      'ansible-playbook site.yml --check',
      'ansible all -m ping',
      'ansible-lint',
      'ansible-playbook --syntax-check a.yml',
      'ansible all --list-hosts',
    ],
  },
  {
    id: 'infrastructure/configuration',
    program: list(
      'salt salt-call salt-ssh salt-run puppet chef-client chef-solo chef knife cinc-client cfagent cf-agent nixos-rebuild darwin-rebuild home-manager colmena deploy-rs morph mgmt pyinfra fab cap mina',
    ),
    none: ['--noop', '--why-run', '-W', '--test=True', '-T', '-l', '--list'],
    when: call => {
      const text = firstWords(call)
      const { program } = call
      if (program.startsWith('salt'))
        return (
          !/(^|\s)(test\.\w+|grains\.\w+|pillar\.\w+|sys\.\w+|network\.\w+|disk\.usage|status\.\w+|state\.show\w*|cmd\.which|manage\.\w+|jobs\.\w+)\b/.test(
            text,
          ) &&
          text !== '' &&
          !/test=True/i.test(text)
        )
      if (program === 'puppet')
        return /^(apply|agent|node (clean|purge|deactivate)|resource \S+ \S+ \S+|cert|ca|ssl clean)\b/.test(text)
      if (program === 'knife') return /\b(delete|ssh|bootstrap|upload|bulk|edit|create|exec)\b/.test(text)
      if (/-rebuild$/.test(program)) return /^(switch|boot|test)\b/.test(text)
      if (program === 'home-manager') return /^(switch|expire|remove|uninstall)/.test(text)
      if (program === 'chef') return /^(push|delete|clean)/.test(text)
      if (/^(cap|mina|fab)$/.test(program))
        return /(^|\s|:)(deploy|rollback|restart|stop|migrate|setup|invoke|db)/.test(text) && !/deploy:check/.test(text)
      return true
    },
    severity: 'high',
    reason: 'changes the configuration of machines',
    match: [
      "salt '*' cmd.run 'ls'",
      'puppet apply site.pp',
      'chef-client',
      "knife ssh 'role:web' 'sudo reboot'",
      'nixos-rebuild switch',
      'cap production deploy',
    ],
    notMatch: [
      "salt '*' test.ping",
      'puppet apply --noop site.pp',
      'chef-client --why-run',
      'knife node list',
      'nixos-rebuild dry-run',
    ],
  },
]

/** Ansible modules that change nothing. */
const readOnlyModules =
  /^(ansible\.builtin\.)?(ping|setup|debug|gather_facts|stat|slurp|getent|find|win_ping|service_facts|package_facts|assert)$/

function changesMachines(call: ProgramCall): boolean {
  if (call.has('--list-hosts', '--version', '-C', '--check') || call.operands.length === 0) return false
  return !readOnlyModules.test(call.value('-m', '--module-name')?.value ?? 'command')
}
