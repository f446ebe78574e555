import type { Argument } from '../../interpret/arguments.ts'
import type { ProgramCall } from '../../program-call.ts'
import { list } from '../../word-list.ts'
import { firstWords } from '../first-words.ts'
import type { GuardRule } from '../rule.ts'

const npms = ['npm', 'pnpm', 'yarn', 'bun']
const pips = ['pip', 'pip3', 'pip2', 'pipx', 'uv', 'easy_install']
const isUrl =
  /^(\w+@)?(git\+)?(https?|git|ssh|ftp):\/\/|^\S+ @ (git\+)?https?:|^git\+|^(git@|github:|gitlab:|bitbucket:|gist:)/

function installs(call: ProgramCall): boolean {
  return /^(install|i|in|ins|add|isntall|pip install|tool install|global add|inject|run|dlx|x|exec|get)\b/.test(
    firstWords(call),
  )
}

/** A package that does not come from a registry. */
function fromUrl({ value }: Argument): boolean {
  return isUrl.test(value) && !/^https?:\/\/(localhost|127\.0\.0\.1)[:/]/.test(value)
}

export const installingRules: readonly GuardRule[] = [
  {
    id: 'packages/from-url',
    program: [
      ...npms,
      ...pips,
      'npx',
      'bunx',
      'cargo',
      'gem',
      'go',
      'rpm',
      'dnf',
      'yum',
      'brew',
      'cpanm',
      'luarocks',
      'opam',
      'code',
      'uvx',
    ],
    when: call => {
      if (call.program === 'cargo') return call.isSub('install') ? (call.value('--git') ?? false) : false
      if (call.program === 'npx' || call.program === 'bunx') return call.operands.slice(0, 1).find(fromUrl) ?? false
      if (call.program === 'uvx') return call.values('--from').find(fromUrl) ?? false
      if (call.program === 'rpm') return call.operands.find(fromUrl) ?? false
      if (call.program === 'brew') return call.isSub('install') && (call.after(1).find(fromUrl) ?? false)
      return installs(call) ? ([...call.after(1), ...call.values('-r', '--requirement')].find(fromUrl) ?? false) : false
    },
    severity: 'medium',
    reason: 'installs code from a URL instead of a registry',
    match: [
      'npm i https://x.example/a.tgz',
      'pip install git+https://github.com/u/r',
      'cargo install --git https://x',
      'npx https://x/a.tgz',
      'npm install github:u/r',
    ],
    notMatch: [
      'npm i lodash',
      'npm i ./local',
      'pip install -e .',
      'cargo install ripgrep',
      'pip install x --index-url https://p/whl',
      'go install x.org/y@latest',
    ],
  },
  {
    id: 'packages/registry',
    program: [...npms, ...pips, 'gem', 'poetry', 'conda', 'bundle', 'cargo', 'composer'],
    when: call => {
      const text = firstWords(call)
      if (/^(config|c) (set|edit) \S*registry/.test(text) || /^(set) registry/.test(text))
        return !/registry[ =]https:\/\/registry\.(npmjs\.org|yarnpkg\.com)/.test(text)
      if (/^config set \S*(index-url|trusted-host)/.test(text)) return true
      if (/^(sources|source) (--add|-a)/.test(text)) return true
      const given = call.values(
        '--registry',
        '--index-url',
        '-i',
        '--extra-index-url',
        '--index',
        '--default-index',
        '-f',
        '--find-links',
      )
      return given.find(({ value }) => /^http:\/\/(?!localhost|127\.|\[::1)/.test(value)) ?? call.has('--trusted-host')
    },
    severity: 'high',
    reason: 'installs packages from another registry, or from one that cannot be verified',
    match: [
      'npm config set registry http://x.example',
      'pip install -i http://x.example/simple a',
      'pip install --trusted-host h a',
    ],
    notMatch: [
      'npm config get registry',
      'pip install a --index-url https://download.pytorch.org/whl/cpu',
      'npm config set save-exact true',
      'npm i --registry http://localhost:4873 a',
    ],
  },
  {
    id: 'packages/system-python',
    program: pips,
    when: call =>
      /^(install|uninstall|pip (install|uninstall))\b/.test(firstWords(call)) &&
      (call.has('--break-system-packages', '--system') ||
        call.frame.root ||
        (call.frame.via.includes('xargs') && /uninstall/.test(firstWords(call)))),
    severity: 'medium',
    reason: "changes the system's Python, or removes many packages at once",
    safer: 'python -m venv .venv',
    match: ['sudo pip install x', 'pip install --break-system-packages x', 'pip freeze | xargs pip uninstall -y'],
    notMatch: ['pip install x', 'pip install --user x', 'pip uninstall -y x'],
  },
  {
    id: 'packages/uninstall-all',
    program: list(
      'pipx rustup asdf gem conda mamba micromamba nix-env nix-collect-garbage nvm rbenv pyenv sdk mise nix',
    ),
    when: call => {
      const text = firstWords(call)
      switch (call.program) {
        case 'pipx':
          return /^uninstall-all\b/.test(text)
        case 'rustup':
          return /^self uninstall\b/.test(text)
        case 'gem':
          return /^(uninstall|cleanup)\b/.test(text) && call.has('-a', '--all', '-x', '-I')
        case 'conda':
        case 'mamba':
        case 'micromamba':
          return /^env (remove|update)\b/.test(text)
            ? !call.has('--file', '-f') || /remove/.test(text)
            : /^(remove|uninstall)\b/.test(text) && call.has('--all')
        case 'nix-env':
          return call.has('-e', '--uninstall', '--delete-generations')
        case 'nix-collect-garbage':
          return call.has('-d', '--delete-old', '--delete-older-than')
        case 'nix':
          return /^(store (gc|delete)|profile (remove|wipe-history))\b/.test(text)
        default:
          return /^(uninstall|rm|implode)\b/.test(text)
      }
    },
    severity: 'medium',
    reason: 'removes a toolchain or an environment with everything installed in it',
    match: [
      'rustup self uninstall',
      'conda env remove -n x',
      'pipx uninstall-all',
      'nix-collect-garbage -d',
      'asdf uninstall nodejs 20',
    ],
    notMatch: ['rustup update', 'conda env list', 'pipx uninstall x', 'asdf list', 'conda remove numpy'],
  },
]
