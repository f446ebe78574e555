import { list } from '../../word-list.ts'
import { firstWords } from '../first-words.ts'
import type { GuardRule } from '../rule.ts'

/** Tools for containers, images and registries besides Docker. */
export const otherToolRules: readonly GuardRule[] = [
  {
    id: 'containers/other-tools',
    program: list('buildah crictl ctr colima limactl lima orb orbctl balena rdctl machinectl'),
    when: call => {
      const words = firstWords(call, 3)
      if (call.program === 'buildah')
        return /^push\b/.test(words) || (/^(rm|rmi|prune)\b/.test(words) && call.has('-a', '--all', '-f', '--force'))
      if (call.program === 'crictl') return /^(rm|rmi|rmp|stopp)\b/.test(words)
      if (call.program === 'ctr') return /^(\S+ )?(rm|remove|del|delete|prune|kill)\b|^images? push\b/.test(words)
      return /(^|\s)(delete|factory-reset|prune|purge|remove|rm|reset|push|deploy|terminate)\b/.test(words)
    },
    severity: 'high',
    reason: 'removes containers, images or the machine that runs them, or publishes them',
    match: [
      'buildah rm --all',
      'crictl rmi --prune',
      'colima delete -f',
      'limactl delete default',
      'ctr -n k8s.io images rm x',
    ],
    notMatch: ['buildah bud .', 'crictl ps', 'colima start', 'limactl list', 'ctr images ls'],
  },
  {
    id: 'containers/registry',
    program: list('skopeo crane regctl oras ko pack img cosign gcrane reg umoci'),
    when: call => {
      const words = firstWords(call, 3)
      const target = call.operands.at(-1)?.value ?? ''
      if (call.program === 'skopeo')
        return /^(delete)\b/.test(words) || (/^(copy|sync)\b/.test(words) && /^docker:\/\//.test(target))
      if (call.program === 'ko')
        return (
          /^(publish|apply|create|resolve|run|delete)\b/.test(words) ||
          (/^build\b/.test(words) && !call.has('--local', '-L') && !call.has('--push=false'))
        )
      if (call.program === 'pack') return call.has('--publish')
      return /(^|\s)(push|delete|rm|tag|copy|cp|append|attach|sign|upload|attest|rebase|mutate|put|mod)(\s|$)/.test(
        words,
      )
    },
    severity: 'high',
    reason: 'publishes an image, or removes one that others pull',
    match: [
      'skopeo delete docker://r/a',
      'crane push a.tar r/a',
      'oras push r/a f',
      'pack build a --publish',
      'ko publish ./cmd',
    ],
    notMatch: [
      'skopeo inspect docker://a',
      'crane manifest a',
      'pack build a',
      'ko build --local ./cmd',
      'skopeo copy docker://a oci:a',
    ],
  },
]
