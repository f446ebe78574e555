import { list } from '../../word-list.ts'
import { everyOperand, type Wrapper, type Wrappers } from '../wrapper.ts'

const docker = list(
  '-H --host --context --config --log-level --url --connection -e --env -u --user -w --workdir --env-file --detach-keys -v --volume --name --network --net -p --publish --entrypoint --mount -m --memory --cpus -h --hostname -l --label --platform --index --add-host --device --ipc --pid --gpus --ulimit --shm-size --restart --cap-add --cap-drop --security-opt --tmpfs --log-driver --dns --expose --link --pull --cidfile --userns -c -a --attach --volumes-from --runtime --group-add --log-opt',
)
const compose = list(
  '-f --file -p --project-name --profile --env-file --project-directory --ansi -e --env -u --user -w --workdir --index --entrypoint -v --volume --name -l --label',
)
const kubectl = list(
  '-n --namespace --context --kubeconfig --cluster --user -s --server -c --container -f --filename --as --request-timeout -l --selector',
)
const containerWrappers: readonly Wrapper[] = [
  { sub: 'exec', values: docker, skip: 1, isRemote: true },
  { sub: 'run', values: docker, skip: 1, isRemote: true, image: true },
  { sub: 'container exec', values: docker, skip: 1, isRemote: true },
  { sub: 'container run', values: docker, skip: 1, isRemote: true, image: true },
  { sub: 'compose exec', values: compose, skip: 1, isRemote: true },
  { sub: 'compose run', values: compose, skip: 1, isRemote: true, image: true },
]
const composeWrappers: readonly Wrapper[] = [
  { sub: 'exec', values: compose, skip: 1, isRemote: true },
  { sub: 'run', values: compose, skip: 1, isRemote: true, image: true },
]
const ssh = list('-b -c -D -E -e -F -I -i -J -L -l -m -O -o -p -Q -R -S -W -w -B -P')
/** Programs that start another one on another machine or in a container. */
export const remoteLaunchers: Wrappers = {
  ssh: { values: ssh, skip: 1, joined: true, isRemote: true, isMachine: true },
  autossh: { values: [...ssh, '-M'], skip: 1, joined: true, isRemote: true, isMachine: true },
  mosh: { values: ['--ssh', '-p'], skip: 1, isRemote: true, isMachine: true },
  sshpass: { values: ['-p', '-f', '-P'] },
  pdsh: { values: list('-w -x -l -u -f -R'), joined: true, isRemote: true, isMachine: true },
  pssh: { values: list('-h -H -l -p -o -e -t -O -x'), joined: true, isRemote: true, isMachine: true },
  'parallel-ssh': { values: list('-h -H -l -p -o -e -t -O -x'), joined: true, isRemote: true, isMachine: true },
  vagrant: { sub: 'ssh', code: ['-c', '--command'], isRemote: true },
  gcloud: [
    { sub: 'compute ssh', code: ['--command'], values: list('--zone --project'), isRemote: true, skip: everyOperand },
    {
      sub: 'compute tpus tpu-vm ssh',
      code: ['--command'],
      values: list('--zone --project'),
      isRemote: true,
      skip: everyOperand,
    },
  ],
  fly: { sub: 'ssh console', code: ['-C', '--command'], values: ['-a', '--app'], isRemote: true },
  flyctl: { sub: 'ssh console', code: ['-C', '--command'], values: ['-a', '--app'], isRemote: true },
  heroku: { sub: 'run', values: list('-a --app -r --remote -s --size -e --env'), joined: true, isRemote: true },
  docker: containerWrappers,
  podman: containerWrappers,
  'podman-remote': containerWrappers,
  nerdctl: containerWrappers,
  'docker-compose': composeWrappers,
  'podman-compose': composeWrappers,
  kubectl: [
    { sub: 'exec', values: kubectl, afterDashes: true, isRemote: true },
    { sub: 'run', values: kubectl, afterDashes: true, isRemote: true },
    { sub: 'debug', values: kubectl, afterDashes: true, isRemote: true },
  ],
  oc: [
    { sub: 'exec', values: kubectl, afterDashes: true, isRemote: true },
    { sub: 'rsh', values: kubectl, skip: 1, isRemote: true },
  ],
  k3s: { sub: 'kubectl', runsAs: 'kubectl' },
  microk8s: { sub: 'kubectl', runsAs: 'kubectl' },
  nomad: { sub: 'alloc exec', values: list('-task -job'), skip: 1, isRemote: true },
  lxc: { sub: 'exec', skip: 1, isRemote: true },
  incus: { sub: 'exec', skip: 1, isRemote: true },
  'lxc-attach': { values: list('-n --name -u -g'), isRemote: true },
  toolbox: { sub: 'run', values: list('-c --container -d -r'), isRemote: true },
  distrobox: { sub: 'enter', values: list('-n --name'), afterDashes: true, isRemote: true },
  apptainer: { sub: 'exec', values: list('-B --bind -H --home --env'), skip: 1, isRemote: true },
  singularity: { sub: 'exec', values: list('-B --bind -H --home --env'), skip: 1, isRemote: true },
  multipass: { sub: 'exec', skip: 1, isRemote: true },
  wsl: { values: list('-d --distribution -u --user --cd -e --exec') },
}
