import type { Argument } from '../../interpret/arguments.ts'
import type { ProgramCall } from '../../program-call.ts'
import { writeTargets } from '../../write-targets.ts'
import type { GuardRule } from '../rule.ts'

const writers = [
  '>',
  '>>',
  'tee',
  'cp',
  'gcp',
  'mv',
  'gmv',
  'ln',
  'install',
  'sed',
  'gsed',
  'perl',
  'curl',
  'wget',
  'rsync',
  'scp',
  'dd',
  'tar',
  'bsdtar',
  'unzip',
  'set-content',
  'add-content',
  'out-file',
  'ed',
  'ex',
  'visudo',
]

const startupFiles =
  /(^|\/)(\.(bashrc|bash_profile|bash_login|bash_logout|bash_aliases|profile|zshrc|zshenv|zprofile|zlogin|kshrc|cshrc|tcshrc|login|inputrc|xinitrc|xprofile|xsessionrc|vimrc|emacs|pam_environment)|\.config\/(fish\/.*|autostart(\/.*)?|systemd(\/.*)?|nvim\/.*)|Library\/LaunchAgents(\/.*)?|LaunchDaemons(\/.*)?|crontabs\/.*|cron\.[a-z]+\/.*|\.git\/hooks(\/[^/]+)?|profile\.ps1|Microsoft\.PowerShell_profile\.ps1)$/i
/** These run automatically too, but projects have some of their own. */
const personalStartupFiles =
  /(^|\/)(site-packages\/((user|site)customize\.py|[^/]+\.pth)|\.(pythonrc(\.py)?|pdbrc|irbrc|pryrc|perldb|Rprofile|gdbinit|lldbinit|tmux\.conf|screenrc|xsession|xbindkeysrc|mailcap|forward|procmailrc|envrc)|\.julia\/config\/startup\.jl|\.emacs\.d\/.*|\.oh-my-zsh\/.*|\.config\/((i3|sway|hypr|openbox|bspwm|awesome|environment\.d|plasma-workspace|tmux|emacs|kitty|alacritty|wezterm|direnv)\/.*|autostart-scripts\/.*)|\.local\/share\/(applications|systemd|dbus-1)\/.*|\.startup\.jl)$/
const keyFiles =
  /(^|\/)(\.ssh(\/(authorized_keys2?|known_hosts|config|rc|environment|id_[^/]+))?|authorized_keys2?|\.(rhosts|shosts|k5login|gitconfig|npmrc|pypirc|netrc|pgpass|git-credentials|yarnrc|curlrc|wgetrc|condarc)|\.aws\/(credentials|config)|\.kube\/config|\.docker\/config\.json|\.config\/(gh|git|gcloud|pip)\/.*|\.gnupg\/.*|\.claude\/settings[^/]*\.json|\.codex\/.*)$/

function findTarget(call: ProgramCall, test: (path: string | null, arg: Argument) => boolean): Argument | false {
  return writeTargets(call).find(arg => test(call.path(arg).path ?? arg.value, arg)) ?? false
}

/** Writing files, by a redirect or by a program that names its target. */
export const writingRules: readonly GuardRule[] = [
  {
    id: 'fs/write-system',
    program: writers,
    when: call => findTarget(call, (_, arg) => ['system', 'root'].includes(call.pathClass(arg))),
    severity: 'high',
    reason: 'overwrites system files',
    match: [
      'echo "x" > /etc/hosts',
      'echo "127.0.0.1 x" | sudo tee -a /etc/hosts',
      'cp x /usr/local/bin/x',
      "sed -i 's/a/b/' /etc/ssh/sshd_config",
      'sudo mv kubectl /usr/local/bin/',
      'curl -o /usr/bin/x https://x',
      'tar -xzf a.tgz -C /usr/local',
      'sudo install -m 755 x /usr/bin',
    ],
    notMatch: [
      'cp /etc/hosts .',
      'echo x > out.txt',
      'cat /etc/os-release > info.txt',
      "sed 's/a/b/' /etc/hosts",
      'tar -czf a.tgz /etc/nginx',
      'cmd > /dev/null 2>&1',
      'echo x > /tmp/y',
    ],
  },
  {
    id: 'fs/write-startup',
    program: writers,
    when: call =>
      findTarget(
        call,
        (path, arg) =>
          path !== null &&
          (startupFiles.test(path) ||
            (personalStartupFiles.test(path) && !['workspace', 'build', 'tmp'].includes(call.pathClass(arg)))),
      ),
    severity: 'high',
    reason: 'changes a file that runs automatically: at login, on a schedule or from git',
    match: [
      "echo 'alias ls=rm' >> ~/.bashrc",
      'cat x >> ~/.zshrc',
      'tee -a ~/.profile < x',
      'cp evil .git/hooks/pre-commit',
      'curl -o ~/.config/autostart/x.desktop https://x',
      'echo x > ~/.local/lib/python3.11/site-packages/usercustomize.py',
      'echo x >> ~/.gdbinit',
    ],
    notMatch: ['echo x > .gdbinit', 'cat ~/.bashrc', 'grep PATH ~/.zshrc > out', 'cp ~/.vimrc ./backup-vimrc'],
  },
  {
    id: 'fs/write-keys',
    program: writers,
    when: call =>
      findTarget(
        call,
        (path, arg) =>
          path !== null && keyFiles.test(path) && !['workspace', 'build', 'tmp'].includes(call.pathClass(arg)),
      ),
    severity: 'critical',
    reason: 'changes who can log in, or the keys and settings that tools trust',
    match: [
      'echo "ssh-rsa AAA" >> ~/.ssh/authorized_keys',
      'cat key > ~/.ssh/id_rsa',
      'cp creds ~/.aws/credentials',
      'curl https://x/k >> /root/.ssh/authorized_keys',
    ],
    notMatch: ['cat ~/.ssh/id_rsa.pub', 'echo "registry=x" > .npmrc', 'cp .npmrc.example .npmrc'],
  },
  {
    id: 'fs/empty-file',
    program: '>',
    operand: (arg, call) =>
      ['outside', 'git', 'home', 'dynamic'].includes(call.pathClass(arg)) && !/\.lo[gc]k?$/.test(arg.value),
    when: call => call.stdin.text?.trim() === '',
    severity: 'high',
    reason: 'empties a file outside the workspace',
    match: ['> ~/notes.md', ': > ~/.bash_history', 'cat /dev/null > ../other/data.csv'],
    notMatch: ['> app.log', ': > /tmp/x', 'echo hi > ~/notes.txt'],
  },
  {
    id: 'fs/write-git',
    program: writers,
    when: call =>
      findTarget(
        call,
        (path, arg) =>
          call.pathClass(arg) === 'git' && !/\.git\/(hooks\/|info\/exclude$|COMMIT_EDITMSG$)/.test(path ?? ''),
      ),
    severity: 'high',
    reason: 'writes into .git without going through git',
    match: ['echo x > .git/config', 'cp x .git/HEAD'],
    notMatch: ['echo x >> .gitignore', 'echo node_modules >> .git/info/exclude'],
  },
]
