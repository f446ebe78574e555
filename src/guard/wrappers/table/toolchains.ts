import { list } from '../../word-list.ts'
import { everyOperand, plain, type Wrapper, type Wrappers } from '../wrapper.ts'

const runner: Wrapper = {
  sub: 'run',
  values: list('--with -p --python --project --extra --group --env-file --directory --package --only-group'),
}

/** Package managers, version managers and secret managers that start a program in an environment they prepare. */
export const toolchains: Wrappers = {
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
      ownSubcommands: list(
        'add install i remove rm update up run test t publish start build link unlink import audit list ls why outdated store config patch pack root bin create init deploy dedupe rebuild prune fetch setup env self-update server help licenses doctor cache approve-builds ci',
      ),
    },
  ],
  yarn: [
    { sub: 'exec' },
    { sub: 'dlx', values: ['-p', '--package'] },
    { sub: 'workspace', skip: 1, ownSubcommands: list('add remove run') },
    { sub: 'run' },
    {
      values: ['--cwd'],
      ownSubcommands: list(
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
    { sub: 'exec', afterDashes: true },
    { sub: 'x', afterDashes: true },
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
  chamber: { sub: 'exec', afterDashes: true },
  'aws-vault': { sub: 'exec', values: list('-d --duration --region'), skip: 1 },
  'aws-okta': { sub: 'exec', skip: 1 },
  envchain: { skip: 1 },
  sops: [
    { sub: 'exec-env', skip: 1, joined: true },
    { sub: 'exec-file', skip: 1, joined: true },
  ],
  'nix-shell': { values: list('-p -A -I'), code: ['--run', '--command'], skip: everyOperand },
  nix: [
    { sub: 'develop', code: [], afterDashes: true },
    { sub: 'shell', code: [], afterDashes: true },
  ],
  devbox: { sub: 'run', afterDashes: true },
  railway: { sub: 'run', values: list('-s --service -e --environment') },
  firebase: { sub: 'emulators:exec', values: list('--only --project --import'), eachOperand: true },
  terragrunt: [
    { sub: 'run', afterDashes: true, runsAs: 'terragrunt' },
    { sub: 'run-all', runsAs: 'terragrunt' },
  ],
}
