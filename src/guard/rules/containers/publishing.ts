import { firstWords } from '../first-words.ts'
import type { GuardRule } from '../rule.ts'
import { composes, dockers } from './programs.ts'

/** Images that others pull, and services that others use. */
export const publishingRules: readonly GuardRule[] = [
  {
    id: 'containers/push',
    program: composes,
    when: call => {
      const words = firstWords(call, 3)
      if (/^(push|image push|compose push|manifest push|trust (revoke|sign)|plugin push|compose publish)\b/.test(words))
        return true
      if (/^buildx imagetools create\b/.test(words)) return true
      if (!/^(build|buildx (build|bake)|image build|compose build|bake)\b/.test(words)) return false
      return (
        call.has('--push') ||
        (call.value('-o', '--output')?.value ?? '').includes('type=registry') ||
        /push=true/.test(call.value('-o', '--output')?.value ?? '')
      )
    },
    severity: 'high',
    reason: 'publishes an image that others can pull',
    match: [
      'docker push a/b',
      'docker image push r/a',
      'docker buildx build --push -t a .',
      'docker compose push',
      'podman push a r/a',
    ],
    notMatch: ['docker build -t a .', 'docker buildx build --load .', 'docker tag a b', 'docker pull a'],
  },
  {
    id: 'containers/swarm',
    program: dockers,
    words:
      /^(swarm (init|leave|join|update|unlock-key|ca --rotate)|stack (rm|remove|down|deploy|up)|service (rm|remove|scale|update|create|rollback)|node (rm|remove|update|demote|promote)|secret (rm|remove|create)|config (rm|remove)|context (rm|remove)|checkpoint rm|plugin (install|rm|disable)|desktop (uninstall|reset))\b/,
    severity: 'high',
    reason: 'changes what runs in a swarm, or which machines belong to it',
    match: ['docker stack rm app', 'docker service scale web=0', 'docker swarm leave --force', 'docker node rm w'],
    notMatch: ['docker service ls', 'docker stack ps app', 'docker node ls', 'docker context use x'],
  },
]
