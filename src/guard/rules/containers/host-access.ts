import type { Argument } from '../../interpret/arguments.ts'
import type { ProgramCall } from '../../program-call.ts'
import { isSecretPath } from '../../secret-paths.ts'
import { firstWords } from '../first-words.ts'
import type { GuardRule } from '../rule.ts'
import { dockers } from './programs.ts'

/** What a container can do to its host. */
export const hostAccessRules: readonly GuardRule[] = [
  {
    id: 'containers/privileged',
    program: dockers,
    when: call => {
      if (!isRun(call)) return false
      if (call.has('--privileged')) return true
      const options = ['--cap-add', '--security-opt', '--device', '--pid', '--ipc', '--uts', '--userns', '--cgroupns']
      return (
        call
          .values(...options)
          .find(({ value }) =>
            /^(ALL|SYS_ADMIN|CAP_SYS_ADMIN|SYS_PTRACE|SYS_MODULE|SYS_RAWIO|NET_ADMIN|DAC_READ_SEARCH|host|(seccomp|apparmor)[=:]unconfined|label[=:]disable|\/dev\/(sd|nvme|mem|kmem|vd|xvd|disk).*)$/i.test(
              value,
            ),
          ) ?? false
      )
    },
    severity: 'high',
    reason: "gives the container the host's privileges",
    match: [
      'docker run --privileged x',
      'docker run --cap-add=ALL x',
      'docker run --pid host x',
      'docker exec --privileged a sh',
      'docker run --privileged x --help',
    ],
    notMatch: [
      'docker run x --privileged',
      'docker run --cap-drop=ALL x',
      'docker run --gpus all x',
      'docker run --network host x',
    ],
  },
  {
    id: 'containers/mount',
    program: dockers,
    when: call => {
      if (!isRun(call)) return false
      return (
        mounts(call).find(arg => {
          if (/docker\.sock$|containerd\.sock$|podman\.sock$/.test(arg.value) || isSecretPath(arg.value)) return true
          if (/^\/etc\/(localtime|timezone|ssl|ca-certificates)/.test(arg.value) || /^\/tmp\/\.X11/.test(arg.value))
            return false
          return ['root', 'home', 'system', 'device'].includes(call.pathClass(arg))
        }) ?? false
      )
    },
    severity: 'high',
    reason: 'lets the container write to the host outside the workspace, or read its keys',
    safer: 'docker run -v "$PWD":/app node npm test',
    match: [
      'docker run -v /:/host x',
      'docker run --mount type=bind,source=/,target=/h x',
      'docker run -v /var/run/docker.sock:/var/run/docker.sock x',
      'docker run -v ~/.ssh:/root/.ssh x',
      'docker run -v $HOME:/h x',
    ],
    notMatch: [
      'docker run -v $(pwd):/app x',
      'docker run -v data:/data x',
      'docker run -v ./a:/a x',
      'docker run -v /tmp/c:/c x',
      'docker run x -v /:/host',
    ],
  },
]

function isRun(call: ProgramCall): boolean {
  return /^((container )?(run|create|exec)|compose run|pod create|machine init)\b/.test(firstWords(call, 2))
}

/** The host paths that a container gets: `-v /:/host`, `--mount type=bind,source=/`. */
function mounts(call: ProgramCall): Argument[] {
  const volumes = call.values('-v', '--volume').map(arg => ({ ...arg, value: arg.value.split(':')[0] ?? '' }))
  const binds = call.values('--mount').flatMap(arg => {
    const source = /(?:^|,)(?:source|src)=([^,]*)/.exec(arg.value)?.[1]
    return source !== undefined && !/type=(volume|tmpfs)/.test(arg.value) ? [{ ...arg, value: source }] : []
  })
  return [...volumes, ...binds].filter(({ value }) => /^[/~.]/.test(value) || value.includes('/'))
}
