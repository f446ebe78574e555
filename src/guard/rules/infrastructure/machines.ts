import { list } from '../../word-list.ts'
import { firstWords } from '../first-words.ts'
import type { GuardRule } from '../rule.ts'

/** Virtual machines, and the services that clusters of machines share. */
export const machineRules: readonly GuardRule[] = [
  {
    id: 'infrastructure/machines',
    program: list(
      'vagrant virsh vboxmanage qm pct lxc incus multipass govc pveum prlctl vmrun xl tart utmctl juju bosh packer qemu-img virt-install waypoint boundary spacectl atlantis crossplane',
    ),
    none: ['-h'],
    when: call => {
      const text = firstWords(call)
      if (call.program === 'qemu-img')
        return (/^resize\b/.test(text) && call.has('--shrink')) || (/^snapshot\b/.test(text) && call.has('-d', '-a'))
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
      return /(^|\s|[.-])(destroy|delete|remove|rm|purge|destroy-\w+|delete-\w+|kill-\w+|forget|prune|reset|rollback|delsnapshot|apply|deploy|uninstall|terminate)(?=\s|$|-)/.test(
        text,
      )
    },
    severity: 'critical',
    reason: 'deletes a machine with its disks, or builds a machine that costs money',
    match: [
      'vagrant destroy -f',
      'virsh undefine vm --remove-all-storage',
      'VBoxManage unregistervm a --delete',
      'qm destroy 100',
      'qemu-img resize --shrink win.qcow2 10G',
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
      'qemu-img create -f qcow2 disk.qcow2 20G',
      'juju status',
      'multipass launch',
    ],
  },
  {
    id: 'infrastructure/services',
    program: ['nomad', 'consul', 'vault', 'bao'],
    none: ['-h'],
    when: call => {
      const text = firstWords(call)
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
    reason: 'changes or removes running jobs or stored data, or prints secrets',
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
