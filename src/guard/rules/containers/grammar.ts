import type { Grammar } from '../../parse-args.ts'
import { list } from '../../word-list.ts'
import type { Grammars } from '../rule.ts'
import { dockers } from './programs.ts'

const running = list(
  `-e --env -u --user -w --workdir --env-file -v --volume --name --network --net -p --publish --entrypoint --mount -m --memory --cpus
  -h --hostname -l --label --platform --add-host --device --ipc --pid --gpus --ulimit --shm-size --restart --cap-add --cap-drop --security-opt
  --tmpfs --log-driver --log-opt --dns --expose --link --pull --cidfile --userns --uts --cgroupns -a --attach --volumes-from --runtime --group-add
  -c --stop-signal --stop-timeout --health-cmd --annotation --sysctl --storage-opt --cgroup-parent --blkio-weight --oom-score-adj --network-alias`,
)
const exec = list('-e --env -u --user -w --workdir --env-file --detach-keys')
const global = list(
  '-H --host -c --context --config -l --log-level --tlscacert --tlscert --tlskey --url --connection --identity --root -a --address',
)
const compose = list(
  '-f --file -p --project-name --profile --env-file --project-directory --ansi --parallel -t --timeout --scale',
)

const dockerGrammar: Grammar = {
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
const composeGrammar: Grammar = {
  before: compose,
  ends: { run: 2, exec: 2 },
  sub: { run: running, exec, down: ['-t', '--timeout', '--rmi'], up: ['-t', '--timeout', '--scale'] },
}

export const containerGrammar: Grammars = {
  ...Object.fromEntries(dockers.map(name => [name, dockerGrammar])),
  'docker-compose': composeGrammar,
  'podman-compose': composeGrammar,
  ctr: { values: list('-n --namespace -a --address') },
  crictl: { values: list('-r -i -c -t') },
  pack: { values: list('-B --builder -p --path -e --env -b --buildpack') },
}
