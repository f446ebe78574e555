import { type Arg, hole } from '../../interpret/arguments.ts'
import type { Grammar } from '../../options.ts'
import type { Call } from '../../program-call.ts'
import { isSecretPath } from '../../secret-paths.ts'
import type { Rule } from '../rule.ts'
import { list, said } from '../words.ts'

export const dockers = ['docker', 'podman', 'nerdctl', 'docker.io', 'finch']
const composes = ['docker-compose', 'podman-compose', ...dockers]

const running = list(
  `-e --env -u --user -w --workdir --env-file -v --volume --name --network --net -p --publish --entrypoint --mount -m --memory --cpus
  -h --hostname -l --label --platform --add-host --device --ipc --pid --gpus --ulimit --shm-size --restart --cap-add --cap-drop --security-opt
  --tmpfs --log-driver --log-opt --dns --expose --link --pull --cidfile --userns --uts --cgroupns -a --attach --volumes-from --runtime --group-add
  -c --stop-signal --stop-timeout --health-cmd --annotation --sysctl --storage-opt --cgroup-parent --blkio-weight --oom-score-adj --network-alias`,
)
const exec = list('-e --env -u --user -w --workdir --env-file --detach-keys')
const global = list(
  '-H --host --context --config -l --log-level --tlscacert --tlscert --tlskey --url --connection --root',
)
const compose = list(
  '-f --file -p --project-name --profile --env-file --project-directory --ansi --parallel -t --timeout --scale',
)

export const dockerGrammar: Grammar = {
  before: global,
  values: list('--filter --format'),
  ends: {
    run: 2,
    create: 2,
    exec: 2,
    'container run': 3,
    'container exec': 3,
    'container create': 3,
    'compose run': 3,
    'compose exec': 3,
  },
  sub: {
    run: running,
    create: running,
    exec,
    container: running,
    compose,
    'compose down': ['-t', '--timeout', '--rmi'],
    'compose rm': [],
    'compose up': ['-t', '--timeout', '--scale'],
    'compose run': running,
    'compose exec': exec,
    build: list(
      '-t --tag -f --file --build-arg --target --platform -o --output --cache-from --cache-to --secret --ssh --label',
    ),
    buildx: list(
      '-t --tag -f --file --build-arg --target --platform -o --output --cache-from --cache-to --secret --ssh --builder',
    ),
    service: list('--image --replicas --name'),
    rm: [],
  },
}
export const composeGrammar: Grammar = {
  before: compose,
  ends: { run: 2, exec: 2 },
  sub: { run: running, exec, down: ['-t', '--timeout', '--rmi'], up: ['-t', '--timeout', '--scale'] },
}

function isRun(call: Call): boolean {
  return /^((container )?(run|create|exec)|compose run|pod create|machine init)\b/.test(said(call, 2))
}

/** What a container gets of the host: `-v /:/host`, `--mount type=bind,source=/`. */
function mounts(call: Call): Arg[] {
  const volumes = call.values('-v', '--volume').map(arg => ({ ...arg, value: arg.value.split(':')[0] ?? '' }))
  const binds = call.values('--mount').flatMap(arg => {
    const source = /(?:^|,)(?:source|src)=([^,]*)/.exec(arg.value)?.[1]
    return source !== undefined && !/type=(volume|tmpfs)/.test(arg.value) ? [{ ...arg, value: source }] : []
  })
  return [...volumes, ...binds].filter(({ value }) => /^[/~.]/.test(value) || value.includes('/'))
}

/** All containers, all images: what another docker lists, or what nobody knows before. */
function isEverything(call: Call): boolean {
  return (
    call.has('-a', '--all') || call.frame.via.includes('xargs') || call.operands.some(({ value }) => value === hole)
  )
}

export const dockerRules: readonly Rule[] = [
  {
    id: 'containers/volumes',
    program: dockers,
    sub: [
      'volume rm',
      'volume remove',
      'volume prune',
      'system prune',
      'system reset',
      'machine rm',
      'machine reset',
      'volume update',
    ],
    severity: 'critical',
    reason: 'throws away volumes, or all that is not in use: databases live there',
    safer: 'docker system df',
    match: [
      'docker volume rm data',
      'docker system prune -af --volumes',
      'sudo podman volume prune -f',
      'docker -H tcp://x volume rm y',
      'podman system reset -f',
    ],
    notMatch: ['docker volume ls', 'docker volume create x', 'docker system df', 'docker builder prune -f'],
  },
  {
    id: 'containers/compose-volumes',
    program: composes,
    when: call => {
      const isCompose = call.program.endsWith('-compose')
      const words = said(call, 4)
      if (!(isCompose ? /^(down|rm|up|push)\b/ : /^compose (down|rm|up|push)\b/).test(words)) return false
      if (/\bpush\b/.test(words)) return false
      if (/\bup\b/.test(words)) return call.has('-V', '--renew-anon-volumes')
      return call.has('-v', '--volumes')
    },
    severity: 'high',
    reason: 'removes the volumes of the project, with the data in them',
    safer: 'docker compose down',
    match: [
      'docker compose down -v',
      'docker-compose -f x.yml down --volumes',
      'docker compose -p a down --rmi all -v',
      'docker compose rm -fsv',
    ],
    notMatch: [
      'docker compose down',
      'docker compose run --rm app test -v',
      'docker compose up -d',
      'docker compose exec a ls -v',
    ],
  },
  {
    id: 'containers/remove',
    program: dockers,
    when: call => {
      const words = said(call, 2)
      if (/^(container |pod )?(rm|remove)\b/.test(words))
        return call.has('-f', '--force', '-v', '--volumes') || isEverything(call)
      if (/^(rmi|image (rm|remove))\b/.test(words)) return call.has('-f', '--force') || isEverything(call)
      if (/^(container |pod )?(stop|kill)\b/.test(words)) return isEverything(call)
      if (/^image prune\b/.test(words)) return call.has('-a', '--all')
      return /^(container|network|pod) prune\b/.test(words)
    },
    severity: 'medium',
    reason: 'removes containers or images by force or by the lot, with what was written in them',
    safer: 'docker stop web',
    match: [
      'docker rm -f db',
      'docker rm $(docker ps -aq)',
      'docker ps -q | xargs docker stop',
      'docker image prune -af',
      'docker container prune -f',
      'podman rmi -a -f',
    ],
    notMatch: [
      'docker rm web',
      'docker stop web',
      'docker rmi app:old',
      'docker image prune',
      'docker run --rm alpine rm -f x',
      'docker ps -a',
    ],
  },
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
    reason: "gives the container the host's powers",
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
    reason: 'lets the container write to the host outside of the workspace, or read its keys',
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
  {
    id: 'containers/push',
    program: composes,
    when: call => {
      const words = said(call, 3)
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
    reason: 'publishes an image: others pull it from now on',
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
    when: call =>
      /^(swarm (init|leave|join|update|unlock-key|ca --rotate)|stack (rm|remove|down|deploy|up)|service (rm|remove|scale|update|create|rollback)|node (rm|remove|update|demote|promote)|secret (rm|remove|create)|config (rm|remove)|context (rm|remove)|checkpoint rm|plugin (install|rm|disable)|desktop (uninstall|reset))\b/.test(
        said(call, 3),
      ),
    severity: 'high',
    reason: 'changes what runs in a swarm, or who belongs to it',
    match: ['docker stack rm app', 'docker service scale web=0', 'docker swarm leave --force', 'docker node rm w'],
    notMatch: ['docker service ls', 'docker stack ps app', 'docker node ls', 'docker context use x'],
  },
]
