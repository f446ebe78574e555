import type { Call } from '../../program-call.ts'
import type { Rule } from '../rule.ts'
import { list, said } from '../words.ts'

/** Modules of Ansible that change nothing. */
const looking =
  /^(ansible\.builtin\.)?(ping|setup|debug|gather_facts|stat|slurp|getent|find|win_ping|service_facts|package_facts|assert)$/

function ansible(call: Call): boolean {
  if (call.has('--list-hosts', '--version', '-C', '--check') || call.operands.length === 0) return false
  return !looking.test(call.value('-m', '--module-name')?.value ?? 'command')
}

export const hostRules: readonly Rule[] = [
  {
    id: 'infrastructure/ansible',
    program: ['ansible', 'ansible-playbook', 'ansible-pull', 'ansible-vault', 'ansible-console', 'ansible-navigator'],
    when: call => {
      if (call.program === 'ansible') return ansible(call)
      if (call.program === 'ansible-vault') return /^(decrypt|view|rekey)\b/.test(said(call))
      if (call.program === 'ansible-pull' || call.program === 'ansible-console') return true
      return (
        call.operands.length > 0 &&
        !call.has('-C', '--check', '--syntax-check', '--list-tasks', '--list-hosts', '--list-tags')
      )
    },
    severity: 'high',
    reason: 'changes machines, as many as the inventory has, or shows their secrets',
    safer: 'ansible-playbook site.yml --check --diff',
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
      const text = said(call)
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
  {
    id: 'infrastructure/machines',
    program: list(
      'vagrant virsh vboxmanage qm pct lxc incus multipass govc pveum prlctl vmrun xl tart utmctl juju bosh packer proxmox-backup-client virt-install waypoint boundary spacectl atlantis crossplane',
    ),
    none: ['-h'],
    when: call => {
      const text = said(call)
      if (call.program === 'packer') return /^build\b/.test(text)
      if (call.program === 'vagrant')
        return /^(destroy|box (remove|prune)|cloud|snapshot (delete|restore|pop)|global-status --prune)/.test(text)
      if (call.program === 'virsh')
        return /^(destroy|undefine|vol-(delete|wipe)|pool-(delete|destroy)|net-(destroy|undefine)|snapshot-(delete|revert)|reset|managedsave-remove)\b/.test(
          text,
        )
      if (call.program === 'vboxmanage')
        return /^(unregistervm|closemedium|natnetwork remove|snapshot \S+ (delete|restore)|controlvm \S+ (poweroff|reset))/.test(
          text,
        )
      return /(^|\s|[.-])(destroy|delete|remove|rm|purge|destroy-\w+|delete-\w+|kill-\w+|forget|prune|reset|rollback|apply|deploy|uninstall|terminate)(?=\s|$|-)/.test(
        text,
      )
    },
    severity: 'critical',
    reason: 'deletes a machine with its disks, or builds one at a cost',
    match: [
      'vagrant destroy -f',
      'virsh undefine vm --remove-all-storage',
      'VBoxManage unregistervm a --delete',
      'qm destroy 100',
      'packer build t.pkr.hcl',
      'multipass delete --all',
      'bosh delete-deployment -d cf',
    ],
    notMatch: [
      'vagrant up',
      'vagrant status',
      'virsh list',
      'lxc list',
      'packer validate .',
      'juju status',
      'multipass launch',
    ],
  },
  {
    id: 'infrastructure/services',
    program: ['nomad', 'consul', 'vault', 'bao'],
    when: call => {
      const text = said(call)
      if (call.program === 'nomad')
        return /^(run|stop|(job|volume|namespace|acl \w+|node|deployment|system|var|operator|quota|sentinel|server) (run|stop|dispatch|revert|promote|scale|restart|eval|delete|deregister|apply|detach|drain|eligibility|purge|fail|gc|reconcile|put|raft|snapshot|force-leave|periodic|tag|create|register|update|bootstrap)|system gc)\b/.test(
          text,
        )
      if (call.program === 'consul')
        return /^(kv (delete|put|import)|leave|force-leave|acl \w+ (delete|create|update)|acl bootstrap|config (delete|write)|services (deregister|register)|snapshot restore|operator|intention (create|delete)|maint|exec|lock|keyring|connect ca set)\b/.test(
          text,
        )
      return (
        !/^(status|list|kv list|secrets list|auth list|policy (list|read|fmt)|token (lookup|capabilities)|server|login|version|path-help|operator (members|key-status|raft list-peers|diagnose|usage)|audit list|print|agent|proxy|debug|namespace (list|lookup)|plugin (list|info)|lease lookup|monitor|events|kv metadata get|help|hcp|autocomplete)\b/.test(
          text,
        ) && text !== ''
      )
    },
    severity: 'high',
    reason: 'changes or removes what runs or is stored there, or shows secrets',
    match: [
      'nomad job stop -purge api',
      'consul kv delete -recurse a/',
      'vault kv delete secret/a',
      'vault kv get secret/a',
      'vault operator seal',
    ],
    notMatch: [
      'nomad status',
      'nomad job plan a.nomad',
      'consul members',
      'consul kv get a',
      'vault status',
      'vault kv list secret/',
      'vault server -dev',
    ],
  },
]

export const hostGrammar = {
  ansible: {
    values: list('-m --module-name -a --args -i --inventory -u --user -l --limit -e --extra-vars -f --forks -t --tree'),
  },
  'ansible-playbook': {
    values: list(
      '-i --inventory -u --user -l --limit -e --extra-vars -f --forks -t --tags --skip-tags --vault-password-file --private-key --start-at-task',
    ),
  },
  nomad: { words: true, values: list('-namespace -address -region') },
  consul: { words: true, values: list('-http-addr -token -datacenter') },
  vault: { words: true, values: list('-address -namespace -field -format -mount') },
  packer: { words: true, values: list('-var -var-file -only') },
  bosh: { values: list('-d --deployment -e --environment') },
  juju: { values: list('-m --model -c --controller') },
  salt: { values: list('-t --timeout -b') },
  fab: { values: list('-H --hosts -i -c') },
}
