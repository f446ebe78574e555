import { list } from '../../word-list.ts'
import { everyOperand, plain, type Wrappers } from '../wrapper.ts'

/** Tools of everyday work that run commands: git, task runners, file watchers, terminal multiplexers. */
export const developerTools: Wrappers = {
  git: [
    { sub: 'bisect run' },
    { sub: 'submodule foreach', joined: true },
    { sub: 'rebase', code: ['-x', '--exec'], values: ['--onto', '-s', '-X'], skip: everyOperand },
    {
      sub: 'filter-branch',
      code: list(
        '--env-filter --tree-filter --index-filter --parent-filter --msg-filter --commit-filter --tag-name-filter',
      ),
      skip: everyOperand,
    },
    { sub: 'difftool', code: ['-x', '--extcmd'], skip: everyOperand },
  ],
  repo: { sub: 'forall', code: ['-c'], skip: everyOperand },
  mr: { sub: 'run' },
  lerna: { sub: 'exec' },
  nodemon: { values: list('-w --watch -e --ext -i --ignore -d --delay'), code: ['-x', '--exec'], skip: everyOperand },
  watchexec: { values: list('-e --exts -w --watch -f --filter -i --ignore -d --debounce -s --signal') },
  entr: plain,
  reflex: { values: list('-r -R -g -G'), afterDashes: true },
  concurrently: {
    values: list('-n --names -c --prefix-colors -p --prefix --restart-tries --kill-signal -m --max-processes'),
    eachOperand: true,
  },
  'npm-run-all': { eachOperand: true },
  'wait-on': plain,
  'start-server-and-test': { eachOperand: true },
  tmux: [
    { sub: 'run', values: ['-t', '-d'], joined: true },
    { sub: 'splitw', values: list('-c -t -l -p -F -e'), joined: true },
    { sub: 'if', values: ['-t'], eachOperand: true },
    { sub: 'popup', values: list('-b -c -d -e -h -s -S -t -T -w -x -y'), joined: true },
    { sub: 'new-session', values: list('-s -n -c -t -x -y -F -e -f'), joined: true },
    { sub: 'new', values: list('-s -n -c -t -x -y -F -e -f'), joined: true },
    { sub: 'new-window', values: list('-n -c -t -F -e'), joined: true },
    { sub: 'neww', values: list('-n -c -t -F -e'), joined: true },
    { sub: 'split-window', values: list('-c -t -l -p -F -e'), joined: true },
    { sub: 'run-shell', values: ['-t', '-d'], joined: true },
    { sub: 'respawn-pane', values: list('-c -t -e'), joined: true },
    { sub: 'respawn-window', values: list('-c -t -e'), joined: true },
    { sub: 'display-popup', values: list('-b -c -d -e -h -s -S -t -T -w -x -y'), joined: true },
    { sub: 'pipe-pane', values: ['-t'], joined: true },
    { sub: 'if-shell', values: ['-t'], eachOperand: true },
  ],
  screen: { values: list('-S -c -e -h -p -s -t -T -X') },
  zellij: { sub: 'run', afterDashes: true },
  onchange: { afterDashes: true },
  chokidar: { code: ['-c', '--command'], skip: everyOperand },
  watchmedo: { sub: 'shell-command', code: ['-c', '--command'], skip: everyOperand },
  'cargo-watch': { code: ['-s', '--shell'], skip: everyOperand },
  ttyd: {
    values: list(
      '-p --port -i --interface -c --credential -u --uid -g --gid -s --signal -t --client-option -T -w --cwd',
    ),
  },
  expect: { code: ['-c'], skip: everyOperand },
  beckon: [
    { sub: 'run', afterDashes: true },
    { sub: 'need', afterDashes: true },
  ],
}
