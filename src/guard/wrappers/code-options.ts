import type { Analysis } from '../interpret/analysis.ts'
import { type Argument, literal, origins } from '../interpret/arguments.ts'
import { fileStream } from '../interpret/files.ts'
import { runCode } from '../interpret/shells.ts'
import { unknownStream } from '../interpret/streams.ts'
import { reportRemoteCode } from '../interpret/unseen-code.ts'
import type { ProgramCall } from '../program-call.ts'
import { list } from '../word-list.ts'
import { clientEscapes } from './client-escapes.ts'
import { cmake } from './cmake-tools.ts'
import { editorEscapes } from './editor-escapes.ts'
import { captured, type Finder, quoted, stdinLines, valuesOf } from './find-code.ts'
import { reportForeignCode } from './foreign-code.ts'
import { loadedFiles, scriptFiles } from './loaded-files.ts'
import { makeRecipes, ninjaCommands } from './makefile.ts'
import { readSedScript } from './sed-script.ts'
import { typedText } from './typed-text.ts'

/** Runs the commands that other programs take as options or from stdin: tar, sed, vim, rsync, make. */
export function runCodeOptions(call: ProgramCall, analysis: Analysis): void {
  const { program, frame } = call
  const find = finders.get(program)
  const load = Object.hasOwn(loadedFiles, program) ? loadedFiles[program] : undefined
  const read = Object.hasOwn(scriptFiles, program) ? scriptFiles[program] : undefined
  const codes = find?.(call) ?? []
  const files = load?.(call) ?? []
  const scripts = read?.(call) ?? []
  if (codes.length + files.length + scripts.length === 0) return
  const scope = frame.scope.copy()
  scope.stdin = unknownStream
  const inner = { ...frame, scope, stdin: unknownStream, env: new Map(), via: [...frame.via, program], isEscape: true }
  for (const code of codes) {
    if (code.value === '') continue
    reportForeignCode(/^'?([^\s;|&,']*)/.exec(code.value)?.[1] ?? '', code.span, inner, analysis)
    runCode(code.value, code.from, code, inner, analysis)
  }
  for (const file of files) reportForeignCode(file.value, file.span, inner, analysis)
  for (const file of scripts)
    if (fileStream(file, scope).from & origins.network) reportRemoteCode(file, inner, analysis)
}

const options =
  (...names: string[]): Finder =>
  call =>
    valuesOf(call, ...names)

/** Everything after the option is the command, as words or as one string. */
const restAfter =
  (...names: string[]): Finder =>
  ({ args }) => {
    const at = args.findIndex(({ value }) => names.includes(value))
    const [first, ...rest] = at < 0 ? [] : args.slice(at + 1)
    if (!first) return []
    return [
      rest.length === 0 ? first : { ...first, value: [first, ...rest].map(({ value }) => quoted(value)).join(' ') },
    ]
  }

/** By program: the shell code in its arguments. To cover a new program, add a line here. */
const finders: ReadonlyMap<string, Finder> = new Map(
  Object.entries({
    ...editorEscapes,
    ...clientEscapes,
    'tar bsdtar gtar': tar,
    'sed gsed': sed,
    java: call => call.args.flatMap(arg => captured(arg, /^-XX:On(?:Error|OutOfMemoryError)=(.*)$/s)),
    'make gmake mingw32-make': makeRecipes,
    ninja: ninjaCommands,
    just: call => [...valuesOf(call, '--command', '-c', '--shell'), ...makeRecipes(call)],
    rsync: options('-e', '--rsh', '--rsync-path'),
    'ssh autossh slogin': call => proxyCommands(valuesOf(call, '-o')),
    'scp sftp': call => [...proxyCommands(valuesOf(call, '-o')), ...valuesOf(call, '-S', '-D').filter(isProgram)],
    'man whatis apropos': options('-P', '--pager'),
    'less more most pg': call => call.args.flatMap(arg => captured(arg, /^\+{1,2}\s*[!|]\s*(.*)$/s)),
    'bat delta': options('--pager'),
    'rg ripgrep': options('--pre', '--hostname-bin'),
    'fzf sk': call => [
      ...valuesOf(call, '--preview'),
      ...valuesOf(call, '--bind').flatMap(arg =>
        captured(arg, /(?:execute(?:-silent)?|become|reload(?:-sync)?|transform\w*)[(:[{]([^)\]}]*)/),
      ),
    ],
    'sort gsort': options('--compress-program'),
    'split gsplit': options('--filter'),
    'zip zipcloak': options('-TT', '--unzip-command'),
    dc: call =>
      [...valuesOf(call, '-e', '--expression'), ...stdinLines(call)].flatMap(arg =>
        captured(arg, /!\s*([^<>=\n][^\n]*)/),
      ),
    git: call =>
      valuesOf(call, '--upload-pack', '--receive-pack', '--exec', '-u').filter(({ value }) => /[\s;|&]/.test(value)),
    hg: call =>
      valuesOf(call, '--config').flatMap(arg =>
        captured(arg, /^(?:alias|hooks|ui\.ssh|ui\.editor|merge-tools|extdiff)[\w.-]*=\s*!?(.*)$/s),
      ),
    svn: options('--editor-cmd', '--diff-cmd', '--diff3-cmd', '--merge-cmd'),
    tcpdump: options('-z', '--postrotate-command'),
    nmap: call => valuesOf(call, '--script').flatMap(arg => captured(arg, /os\.execute\(['"]([^'"]*)/)),
    'wget wget2': options('--use-askpass'),
    'yt-dlp youtube-dl': options('--exec', '--exec-before-download'),
    aria2c: options(
      '--on-download-complete',
      '--on-download-start',
      '--on-download-stop',
      '--on-download-error',
      '--on-bt-download-complete',
    ),
    go: options('-exec', '-toolexec', '-vettool', '--exec', '--toolexec', '--vettool'),
    'gcc g++ cc c++ cpp clang clang++ gfortran': call =>
      valuesOf(call, '-wrapper').map(arg => ({ ...arg, value: arg.value.split(',').map(quoted).join(' ') })),
    rustc: call => [...valuesOf(call, '-C', '--codegen')].flatMap(arg => captured(arg, /^linker=(.*)$/s)),
    cargo: call =>
      valuesOf(call, '--config').flatMap(arg =>
        captured(arg, /(?:wrapper|runner|linker|rustc|rustdoc)\s*=\s*["']?([^"']*)/),
      ),
    'bazel bazelisk': options('--run_under'),
    'apt apt-get aptitude': call =>
      valuesOf(call, '-o', '--option').flatMap(arg =>
        captured(arg, /(?:Pre-Invoke|Post-Invoke(?:-Success)?|Pre-Install-Pkgs|Post-Invoke-Stats)(?:::)?=(.*)$/s),
      ),
    dpkg: options('--pre-invoke', '--post-invoke'),
    'rpm rpmbuild rpmspec': call => [
      ...valuesOf(call, '--pipe'),
      ...valuesOf(call, '--eval', '-E').flatMap(arg => captured(arg, /%\((.{0,500})\)/s)),
    ],
    openvpn: options('--up', '--down', '--route-up', '--tls-verify', '--client-connect'),
    'pdflatex latex xelatex lualatex tex pdftex latexmk': call =>
      [...valuesOf(call, '-e'), ...call.args].flatMap(arg =>
        captured(arg, /\\(?:immediate\s*\\)?write18\s*\{([^}]{0,500})\}/),
      ),
    gnuplot: call =>
      [...valuesOf(call, '-e'), ...stdinLines(call)].flatMap(arg =>
        captured(arg, /(?:\bsystem\s*(?:\(\s*)?["']([^"']*)|^\s*!\s*(.*)$)/s),
      ),
    m4: call => stdinLines(call).flatMap(arg => captured(arg, /\be?syscmd\(\s*`?([^')]*)/)),
    socat: call => call.args.flatMap(arg => captured(arg, /^(?:EXEC|SYSTEM|SHELL):["']?([^,"']*)/is)),
    expect: call =>
      [...valuesOf(call, '-c'), ...stdinLines(call)].flatMap(arg =>
        captured(arg, /\b(?:spawn|exec|system)\s+([^;\n]*)/),
      ),
    'xterm uxterm urxvt konsole alacritty xfce4-terminal terminator st': restAfter('-e', '-x', '--command'),
    tmux: call => [
      ...typed(call),
      ...call.args.flatMap(arg => captured(arg, /^run(?:-shell)?\s+(?:-b\s+)?["']?(.*?)["']?$/s)),
    ],
    'screen zellij kitty wezterm xdotool ydotool wtype': typed,
    asciinema: options('-c', '--command'),
    cmake,
    'watchman-make': options('--run'),
    watchmedo: options('-c', '--command'),
    'chokidar chokidar-cli onchange': options('-c', '--command'),
    flatpak: options('--command'),
    sg: options('-c'),
    pip: call => valuesOf(call, '--python').filter(isProgram),
    'find gfind bfs': call =>
      valuesOf(call, '-fprintf', '-fprint', '-fprint0', '-fls').map(file => ({
        ...file,
        value: `: > '${file.value}'`,
      })),
  } satisfies Record<string, Finder>).flatMap(([names, find]) =>
    list(names).map((name): [string, Finder] => [name, find]),
  ),
)

function isProgram({ value }: Argument): boolean {
  return value.includes('/') || /\s/.test(value)
}

function typed(call: ProgramCall): readonly Argument[] {
  const text = typedText(call)
  return text === null || text.value.trim() === '' ? [] : [text]
}

function tar(call: ProgramCall): readonly Argument[] {
  return [
    ...valuesOf(call, '--to-command', '--use-compress-program', '-I', '--rsh-command', '--rmt-command', '-F'),
    ...valuesOf(call, '--info-script', '--new-volume-script'),
    ...valuesOf(call, '--checkpoint-action').flatMap(arg => captured(arg, /^exec=(.*)$/s)),
  ]
}

/** `1e command` runs a command, `s/…/…/e` runs the result, `w file` writes a file. */
function sed(call: ProgramCall): readonly Argument[] {
  const given = valuesOf(call, '-e', '--expression')
  const scripts = given.length > 0 ? given : call.operands.slice(0, 1)
  return scripts.flatMap(script => {
    const { runs, runsInput, writes } = readSedScript(script.value)
    return [
      ...runs.map(value => ({ ...script, value })),
      ...(runsInput ? [{ ...script, value: '\0' }] : []),
      ...writes.filter(file => file.startsWith('/')).map(file => literal(`: > '${file}'`, script.span)),
    ]
  })
}

function proxyCommands(given: readonly Argument[]): readonly Argument[] {
  return given.flatMap(arg => captured(arg, /^(?:ProxyCommand|LocalCommand|KnownHostsCommand)[= ](.*)$/is))
}
