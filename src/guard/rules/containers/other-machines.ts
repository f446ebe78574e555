import type { ProgramCall } from '../../program-call.ts'
import { firstWords } from '../first-words.ts'
import type { GuardRule } from '../rule.ts'
import { composes } from './programs.ts'

/** What people run on this machine, by the names that its tools give their contexts. */
const localContext =
  /^(default|desktop-\w+|colima.*|orbstack|rancher-desktop|lima.*|minikube|rootless|podman-machine-default.*|)$/
const changes =
  /^(?:(?:container|compose|pod|service|stack|swarm|node|secret|config|volume|network|image|system) )?(?:stop|kill|restart|rm|remove|rmi|pause|down|up|prune|update|scale|rollback|deploy|leave|reset|rename|recreate)\b/

/** Containers on a machine that is not this one. */
export const otherMachineRules: readonly GuardRule[] = [
  {
    id: 'containers/other-machine',
    program: composes,
    when: call => changes.test(firstWords(call, 2)) && isElsewhere(call),
    severity: 'high',
    reason: 'stops, replaces or removes containers on another machine',
    match: [
      'docker -H ssh://root@prod-1 stop app',
      'DOCKER_HOST=tcp://10.0.0.5:2375 docker restart web',
      'docker --context prod kill app',
      'docker -c prod compose down',
      'docker context use prod && docker rm app',
      'podman --remote stop app',
      'podman --url ssh://core@host/run/podman.sock rm app',
      'DOCKER_CONTEXT=prod docker-compose restart api',
    ],
    notMatch: [
      'docker -H ssh://root@prod-1 ps',
      'docker --context prod logs app',
      'docker --context colima stop app',
      'docker -H unix:///var/run/docker.sock stop app',
      'docker -H tcp://localhost:2375 stop app',
      'docker stop app',
      'podman --remote ps',
      'docker context use default && docker stop app',
    ],
  },
]

function isElsewhere(call: ProgramCall): boolean {
  const host = call.value('-H', '--host', '--url', '-a', '--address')?.value
  const context = call.value('-c', '--context', '--connection')?.value
  if (host !== undefined) return isOtherHost(host)
  if (context !== undefined) return !localContext.test(context)
  if (call.program === 'podman-remote' || (call.program === 'podman' && call.has('--remote', '-r'))) return true
  const given = call.env('DOCKER_HOST') ?? call.env('CONTAINER_HOST') ?? ''
  if (given !== '') return isOtherHost(given)
  return !localContext.test(call.env('DOCKER_CONTEXT') ?? call.env('CONTAINER_CONNECTION') ?? '')
}

function isOtherHost(address: string): boolean {
  if (/^(unix|npipe|fd):|^\//.test(address)) return false
  return !/^(\w+:\/\/)?([^@/]*@)?(localhost|127\.|\[?::1|0\.0\.0\.0|host\.docker\.internal|docker:)/.test(address)
}
