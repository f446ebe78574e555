/** How a program that starts another one reads its own arguments, up to where the other one begins. */
export interface Wrapper {
  /** `docker exec`: the subcommands that wrap. */
  sub?: string
  /** Own subcommands: where the first operand is another word, it is a program that is run. */
  own?: readonly string[]
  /** Options with a value. */
  values?: readonly string[]
  /** Operands before the command: `timeout 5s`, `chroot DIR`, `ssh HOST`. */
  skip?: number
  /** NAME=value may come before the command. */
  assignments?: boolean
  /** The command begins after `--` wherever that is, and nowhere else. */
  dashes?: boolean
  /** All that is left is one piece of shell code: `ssh host "a; b"`, `watch a b`. */
  joined?: boolean
  /** Options whose value is shell code. */
  code?: readonly string[]
  /** The program that reads what is left: `k3s kubectl get pods`. */
  head?: string
  /** The operand before the command is an image or a service, which may start a program of its name. */
  image?: boolean
  /** Every operand is shell code of its own. */
  each?: boolean
  /** Another machine or a container: other paths, another directory. */
  elsewhere?: boolean
  root?: boolean
  /** An option whose value is the directory. */
  directory?: readonly string[]
}

const plain: Wrapper = {}
const list = (words: string) => words.split(' ')

const docker = list(
  '-e --env -u --user -w --workdir --env-file --detach-keys -v --volume --name --network --net -p --publish --entrypoint --mount -m --memory --cpus -h --hostname -l --label --platform --index --add-host --device --ipc --pid --gpus --ulimit --shm-size --restart --cap-add --cap-drop --security-opt --tmpfs --log-driver --dns --expose --link --pull --cidfile --userns -c -a --attach --volumes-from --runtime --group-add --log-opt',
)
const compose = list(
  '-f --file -p --project-name --profile --env-file --project-directory --ansi -e --env -u --user -w --workdir --index --entrypoint -v --volume --name -l --label',
)
const kubectl = list(
  '-n --namespace --context --kubeconfig --cluster --user -s --server -c --container -f --filename --as --request-timeout -l --selector',
)
const container: readonly Wrapper[] = [
  { sub: 'exec', values: docker, skip: 1, elsewhere: true },
  { sub: 'run', values: docker, skip: 1, elsewhere: true, image: true },
  { sub: 'container exec', values: docker, skip: 1, elsewhere: true },
  { sub: 'container run', values: docker, skip: 1, elsewhere: true, image: true },
  { sub: 'compose exec', values: compose, skip: 1, elsewhere: true },
  { sub: 'compose run', values: compose, skip: 1, elsewhere: true, image: true },
]
const composed: readonly Wrapper[] = [
  { sub: 'exec', values: compose, skip: 1, elsewhere: true },
  { sub: 'run', values: compose, skip: 1, elsewhere: true, image: true },
]
const ssh = list('-b -c -D -E -e -F -I -i -J -L -l -m -O -o -p -Q -R -S -W -w -B -P')
const runner: Wrapper = {
  sub: 'run',
  values: list('--with -p --python --project --extra --group --env-file --directory --package --only-group'),
}

/** Programs that start the program in their arguments. What is not here and not known otherwise is looked behind, too. */
export const wrappers: Readonly<Record<string, Wrapper | readonly Wrapper[]>> = {
  sudo: {
    values: list(
      '-u --user -g --group -h --host -p --prompt -C --close-from -r --role -t --type -T --command-timeout -U --other-user -D --chdir -R --chroot -c --login-class',
    ),
    assignments: true,
    root: true,
    directory: ['-D', '--chdir'],
  },
  doas: { values: ['-u', '-C', '-a'], root: true },
  run0: { values: list('-u --user -g --group -D --chdir --unit --property --setenv'), root: true },
  pkexec: { values: ['--user'], root: true },
  gosu: { skip: 1 },
  'su-exec': { skip: 1 },
  setpriv: {
    values: list('--reuid --regid --groups --inh-caps --ambient-caps --bounding-set --securebits --pdeathsig'),
  },
  su: { code: ['-c', '--command'], values: list('-s --shell -g --group -G -w -T'), root: true, skip: 99 },
  runuser: { code: ['-c', '--command'], values: list('-u --user -s --shell -g -G'), root: true },
  env: {
    values: list('-u --unset -C --chdir -P'),
    assignments: true,
    code: ['-S', '--split-string'],
    directory: ['-C', '--chdir'],
  },
  command: plain,
  builtin: plain,
  exec: { values: ['-a'] },
  nohup: plain,
  time: { values: list('-o --output -f --format') },
  gtime: { values: list('-o --output -f --format') },
  timeout: { values: list('-s --signal -k --kill-after'), skip: 1 },
  gtimeout: { values: list('-s --signal -k --kill-after'), skip: 1 },
  nice: { values: ['-n', '--adjustment'] },
  ionice: { values: list('-c --class -n --classdata -p --pid -P -u') },
  chrt: { values: list('-T -P -D -p'), skip: 1 },
  taskset: { values: ['-p'], skip: 1 },
  numactl: { values: list('-N -m -i -C -p') },
  cpulimit: { values: list('-l -p -e') },
  prlimit: plain,
  stdbuf: { values: list('-i -o -e --input --output --error') },
  unbuffer: plain,
  setsid: plain,
  setarch: { skip: 1 },
  linux32: plain,
  linux64: plain,
  flock: { values: list('-w --timeout -E --conflict-exit-code'), skip: 1, code: ['-c', '--command'] },
  chronic: plain,
  ifne: plain,
  ts: plain,
  script: { values: list('-I -O -B -T -m -o -E -t'), code: ['-c', '--command'] },
  watch: { values: list('-n --interval -q --equexit'), joined: true },
  viddy: { values: list('-n --interval'), joined: true },
  chroot: { values: list('--userspec --groups'), skip: 1, elsewhere: true },
  unshare: { values: list('-S -G -R -w --root --wd --setuid --setgid --map-user --map-group') },
  nsenter: { values: list('-t --target -S -G -r -w -W --wd --root'), elsewhere: true },
  bwrap: { values: list('--chdir --setenv --unsetenv --hostname'), dashes: true },
  firejail: plain,
  fakeroot: { values: list('-l -f -i -s -b') },
  proot: { values: list('-r -b -w -q -k') },
  'systemd-run': {
    values: list(
      '-u --unit -p --property -E --setenv --uid --gid --slice --description --on-active --on-calendar -M --machine -H --host --working-directory --nice',
    ),
  },
  'systemd-inhibit': { values: list('--what --who --why --mode') },
  caffeinate: { values: ['-t', '-w'] },
  'dbus-run-session': plain,
  'dbus-launch': plain,
  'xvfb-run': { values: list('-e -f -l -n -p -s --server-args --error-file --auth-file --server-num') },
  strace: { values: list('-o -e -p -s -u -E -a -I -O -P -S -X') },
  ltrace: { values: list('-o -e -p -s -u -a -l -n -x') },
  valgrind: plain,
  rr: { sub: 'record' },
  perf: [
    { sub: 'stat', values: list('-e -o -r -p -C') },
    { sub: 'record', values: list('-e -o -F -c -p -C -g') },
  ],
  hyperfine: {
    values: list(
      '-w --warmup -m --min-runs -M --max-runs -r --runs -s --setup -S --shell -n --command-name -L --parameter-list -P --export-json --export-markdown -p --prepare -c --cleanup',
    ),
    each: true,
    code: list('-p --prepare -c --cleanup -s --setup'),
  },
  rlwrap: { values: list('-f -H -s -t -C -D -P -p -S -z') },
  torsocks: plain,
  torify: plain,
  proxychains: { values: ['-f'] },
  proxychains4: { values: ['-f'] },
  busybox: plain,
  toybox: plain,
  winpty: plain,
  ssh: { values: ssh, skip: 1, joined: true, elsewhere: true },
  autossh: { values: [...ssh, '-M'], skip: 1, joined: true, elsewhere: true },
  mosh: { values: ['--ssh', '-p'], skip: 1, elsewhere: true },
  sshpass: { values: ['-p', '-f', '-P'] },
  pdsh: { values: list('-w -x -l -u -f -R'), joined: true, elsewhere: true },
  pssh: { values: list('-h -H -l -p -o -e -t -O -x'), joined: true, elsewhere: true },
  'parallel-ssh': { values: list('-h -H -l -p -o -e -t -O -x'), joined: true, elsewhere: true },
  vagrant: { sub: 'ssh', code: ['-c', '--command'], elsewhere: true },
  gcloud: [
    { sub: 'compute ssh', code: ['--command'], values: list('--zone --project'), elsewhere: true, skip: 99 },
    {
      sub: 'compute tpus tpu-vm ssh',
      code: ['--command'],
      values: list('--zone --project'),
      elsewhere: true,
      skip: 99,
    },
  ],
  fly: { sub: 'ssh console', code: ['-C', '--command'], values: ['-a', '--app'], elsewhere: true },
  flyctl: { sub: 'ssh console', code: ['-C', '--command'], values: ['-a', '--app'], elsewhere: true },
  heroku: { sub: 'run', values: list('-a --app -r --remote -s --size -e --env'), joined: true, elsewhere: true },
  docker: container,
  podman: container,
  nerdctl: container,
  'docker-compose': composed,
  'podman-compose': composed,
  kubectl: [
    { sub: 'exec', values: kubectl, dashes: true, elsewhere: true },
    { sub: 'run', values: kubectl, dashes: true, elsewhere: true },
    { sub: 'debug', values: kubectl, dashes: true, elsewhere: true },
  ],
  oc: [
    { sub: 'exec', values: kubectl, dashes: true, elsewhere: true },
    { sub: 'rsh', values: kubectl, skip: 1, elsewhere: true },
  ],
  k3s: { sub: 'kubectl', head: 'kubectl' },
  microk8s: { sub: 'kubectl', head: 'kubectl' },
  railway: { sub: 'run', values: list('-s --service -e --environment') },
  nomad: { sub: 'alloc exec', values: list('-task -job'), skip: 1, elsewhere: true },
  firebase: { sub: 'emulators:exec', values: list('--only --project --import'), each: true },
  terragrunt: [
    { sub: 'run', dashes: true, head: 'terragrunt' },
    { sub: 'run-all', head: 'terragrunt' },
  ],
  lxc: { sub: 'exec', skip: 1, elsewhere: true },
  incus: { sub: 'exec', skip: 1, elsewhere: true },
  multipass: { sub: 'exec', skip: 1, elsewhere: true },
  wsl: { values: list('-d --distribution -u --user --cd -e --exec') },
  npx: { values: list('-p --package --node-arg'), code: ['-c', '--call'] },
  bunx: { values: ['-p', '--package'] },
  pnpx: plain,
  npm: [
    { sub: 'exec', values: list('-p --package -w --workspace'), code: ['-c', '--call'] },
    { sub: 'x', values: list('-p --package -w --workspace'), code: ['-c', '--call'] },
  ],
  pnpm: [
    { sub: 'exec', values: list('-F --filter -C --dir'), code: [] },
    { sub: 'dlx', values: list('--package -F --filter') },
    {
      values: list('-F --filter -C --dir'),
      own: list(
        'add install i remove rm update up run test t publish start build link unlink import audit list ls why outdated store config patch pack root bin create init deploy dedupe rebuild prune fetch setup env self-update server help licenses doctor cache approve-builds ci',
      ),
    },
  ],
  yarn: [
    { sub: 'exec' },
    { sub: 'dlx', values: ['-p', '--package'] },
    { sub: 'workspace', skip: 1, own: list('add remove run') },
    { sub: 'run' },
    {
      values: ['--cwd'],
      own: list(
        'add install remove upgrade up run test publish start build link unlink import audit list why outdated config pack bin create init global cache info npm node owner tag team version versions workspaces workspace plugin set dedupe constraints patch rebuild unplug login logout check help policies autoclean generate-lock-entry licenses self-update stage search explain',
      ),
    },
  ],
  bun: [{ sub: 'x' }, { sub: 'run' }],
  uv: runner,
  uvx: { values: ['--from', '--with', '-p', '--python'] },
  pipx: { sub: 'run', values: ['--spec', '--python'] },
  poetry: runner,
  pipenv: runner,
  pdm: runner,
  hatch: runner,
  rye: runner,
  pixi: runner,
  conda: { sub: 'run', values: list('-n --name -p --prefix --cwd') },
  mamba: { sub: 'run', values: list('-n --name -p --prefix --cwd') },
  micromamba: { sub: 'run', values: list('-n --name -p --prefix --cwd') },
  bundle: { sub: 'exec' },
  rbenv: { sub: 'exec' },
  pyenv: { sub: 'exec' },
  asdf: { sub: 'exec' },
  mise: [
    { sub: 'exec', dashes: true },
    { sub: 'x', dashes: true },
  ],
  rustup: { sub: 'run', skip: 1 },
  nvm: { sub: 'exec', skip: 1 },
  fnm: { sub: 'exec', values: ['--using'] },
  volta: { sub: 'run', values: list('--node --npm --yarn') },
  corepack: plain,
  direnv: { sub: 'exec', skip: 1 },
  dotenv: { values: list('-e -f --file -c -v -p'), assignments: true },
  'dotenv-cli': { values: list('-e -f --file -c -v -p') },
  'cross-env': { assignments: true },
  'cross-env-shell': { assignments: true, joined: true },
  'env-cmd': { values: list('-f --file -e --environments -r') },
  op: { sub: 'run', values: ['--env-file'] },
  doppler: { sub: 'run', values: list('-p --project -c --config -t --token'), code: ['--command'] },
  infisical: { sub: 'run', values: list('--env --path --projectId --token'), code: ['-c', '--command'] },
  chamber: { sub: 'exec', dashes: true },
  'aws-vault': { sub: 'exec', values: list('-d --duration --region'), skip: 1 },
  'aws-okta': { sub: 'exec', skip: 1 },
  envchain: { skip: 1 },
  sops: [
    { sub: 'exec-env', skip: 1, joined: true },
    { sub: 'exec-file', skip: 1, joined: true },
  ],
  'nix-shell': { values: list('-p -A -I'), code: ['--run', '--command'], skip: 99 },
  nix: [
    { sub: 'develop', code: [], dashes: true },
    { sub: 'shell', code: [], dashes: true },
  ],
  devbox: { sub: 'run', dashes: true },
  git: [
    { sub: 'bisect run' },
    { sub: 'submodule foreach', joined: true },
    { sub: 'rebase', code: ['-x', '--exec'], values: ['--onto', '-s', '-X'], skip: 99 },
    {
      sub: 'filter-branch',
      code: list(
        '--env-filter --tree-filter --index-filter --parent-filter --msg-filter --commit-filter --tag-name-filter',
      ),
      skip: 99,
    },
    { sub: 'difftool', code: ['-x', '--extcmd'], skip: 99 },
  ],
  repo: { sub: 'forall', code: ['-c'], skip: 99 },
  mr: { sub: 'run' },
  lerna: { sub: 'exec' },
  nodemon: { values: list('-w --watch -e --ext -i --ignore -d --delay'), code: ['-x', '--exec'], skip: 99 },
  watchexec: { values: list('-e --exts -w --watch -f --filter -i --ignore -d --debounce -s --signal') },
  entr: plain,
  reflex: { values: list('-r -R -g -G'), dashes: true },
  concurrently: {
    values: list('-n --names -c --prefix-colors -p --prefix --restart-tries --kill-signal -m --max-processes'),
    each: true,
  },
  'npm-run-all': { each: true },
  'wait-on': plain,
  'start-server-and-test': { each: true },
  tmux: [
    { sub: 'new-session', values: list('-s -n -c -t -x -y -F -e -f'), joined: true },
    { sub: 'new', values: list('-s -n -c -t -x -y -F -e -f'), joined: true },
    { sub: 'new-window', values: list('-n -c -t -F -e'), joined: true },
    { sub: 'neww', values: list('-n -c -t -F -e'), joined: true },
    { sub: 'split-window', values: list('-c -t -l -p -F -e'), joined: true },
    { sub: 'run-shell', values: ['-t', '-d'], joined: true },
    { sub: 'send-keys', values: list('-t -N'), each: true },
    { sub: 'send', values: list('-t -N'), each: true },
  ],
  screen: { values: list('-S -c -e -h -p -s -t -T -X') },
  zellij: { sub: 'run', dashes: true },
  expect: { code: ['-c'], skip: 99 },
  beckon: [
    { sub: 'run', dashes: true },
    { sub: 'need', dashes: true },
  ],
}
