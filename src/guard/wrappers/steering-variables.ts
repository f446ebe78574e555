import type { Analysis, Frame } from '../interpret/analysis.ts'
import { literal, origins, unknownText } from '../interpret/arguments.ts'
import { runPrompt } from '../interpret/evaluated-text.ts'
import { fileStream } from '../interpret/files.ts'
import type { VariableValue } from '../interpret/scope.ts'
import { runCode, runStream } from '../interpret/shells.ts'
import { unknownStream } from '../interpret/streams.ts'
import { readCodeInOptions } from '../languages/code-in-options.ts'
import { interpreterOf } from '../languages/interpreters.ts'
import { ProgramCall } from '../program-call.ts'
import type { Span } from '../shell/syntax-tree.ts'
import { list } from '../word-list.ts'
import { runCodeOptions } from './code-options.ts'
import { reportForeignCode } from './foreign-code.ts'
import { reportPreload } from './preload.ts'

/** What a variable makes some program do. To cover a new one, add its name to a line of this table. */
type Kind = 'prompt' | 'command' | 'program' | 'sourced' | 'preloaded' | 'searched' | readonly string[]

const kinds = new Map<string, Kind>()
const add = (kind: Kind, names: string) => {
  for (const name of list(names)) kinds.set(name, kind)
}
// The shell expands it each time it prints it.
add('prompt', 'PS0 PS1 PS2 PS4 PROMPT PROMPT2 RPROMPT RPS1 SPROMPT MAILPATH')
// A program runs it as a command line.
add(
  'command',
  `PROMPT_COMMAND PAGER MANPAGER GIT_PAGER BAT_PAGER DELTA_PAGER AWS_PAGER GH_PAGER GLAB_PAGER PSQL_PAGER SYSTEMD_PAGER PERLDOC_PAGER RI_PAGER
  EDITOR VISUAL FCEDIT GIT_EDITOR GIT_SEQUENCE_EDITOR SUDO_EDITOR SYSTEMD_EDITOR KUBE_EDITOR GH_EDITOR PSQL_EDITOR SVN_EDITOR HGEDITOR BUNDLER_EDITOR
  REACT_EDITOR LAUNCH_EDITOR TEXEDIT BROWSER GH_BROWSER LESSOPEN LESSCLOSE LESSEDIT MANROFFSEQ GIT_SSH_COMMAND GIT_EXTERNAL_DIFF GIT_PROXY_COMMAND GIT_ASKPASS
  SSH_ASKPASS SUDO_ASKPASS CVS_RSH RSYNC_RSH RSYNC_CONNECT_PROG SVN_SSH HG_SSH FZF_DEFAULT_COMMAND FZF_CTRL_T_COMMAND FZF_ALT_C_COMMAND SKIM_DEFAULT_COMMAND
  GOPACKAGESDRIVER CCACHE_PREFIX MAKE_COMMAND DIFFPROG MERGE TEST_RUNNER_COMMAND RESTIC_PASSWORD_COMMAND BORG_PASSCOMMAND BORG_RSH ANSIBLE_SSH_EXECUTABLE`,
)
// A program starts it, with arguments of its own.
add(
  'program',
  `SHELL CONFIG_SHELL MAKESHELL npm_config_script_shell NPM_CONFIG_SCRIPT_SHELL npm_config_shell CC CXX CPP LD AR AS RUSTC RUSTC_WRAPPER RUSTC_WORKSPACE_WRAPPER RUSTDOC
  CARGO GIT_SSH CMAKE_C_COMPILER_LAUNCHER CMAKE_CXX_COMPILER_LAUNCHER CMAKE_C_COMPILER CMAKE_CXX_COMPILER PYTHON NODE JAVACMD JAVA_HOME M2_HOME GOROOT ESBUILD_BINARY_PATH
  CHROME_PATH PUPPETEER_EXECUTABLE_PATH PIP_PYTHON NODE_GYP TAR GZIP_PROGRAM KUBECTL_EXTERNAL_DIFF ELECTRON_OVERRIDE_DIST_PATH`,
)
add('sourced', 'BASH_ENV ENV')
add('preloaded', 'LD_PRELOAD LD_AUDIT DYLD_INSERT_LIBRARIES')
// A program looks there for programs, libraries, modules, plug-ins or settings that run code.
add(
  'searched',
  `PATH PYTHONPATH PYTHONHOME NODE_PATH RUBYLIB PERL5LIB PERLLIB CLASSPATH LD_LIBRARY_PATH DYLD_LIBRARY_PATH DYLD_FRAMEWORK_PATH DYLD_FALLBACK_LIBRARY_PATH GCONV_PATH
  LUA_PATH LUA_CPATH JULIA_LOAD_PATH ZDOTDIR FPATH VIMRUNTIME OPENSSL_CONF OPENSSL_MODULES OPENSSL_ENGINES PHPRC PHP_INI_SCAN_DIR RIPGREP_CONFIG_PATH INPUTRC
  GIT_EXEC_PATH GIT_TEMPLATE_DIR GIT_CONFIG_GLOBAL GIT_CONFIG_SYSTEM BUNDLE_GEMFILE NPM_CONFIG_USERCONFIG npm_config_userconfig COMPILER_PATH GCC_EXEC_PREFIX
  ERL_LIBS R_LIBS R_LIBS_USER QT_PLUGIN_PATH GTK_PATH GTK_MODULES GIO_EXTRA_MODULES MAKEFILES PERL5DB_PATH`,
)
// These are options of a program: what they run is what the program's options run.
for (const [name, program] of [
  ['NODE_OPTIONS', 'node'],
  ['BUN_OPTIONS', 'node'],
  ['RUBYOPT', 'ruby'],
  ['PERL5OPT', 'perl'],
  [
    'JAVA_TOOL_OPTIONS _JAVA_OPTIONS JDK_JAVA_OPTIONS JAVA_OPTS MAVEN_OPTS GRADLE_OPTS SBT_OPTS ANT_OPTS CATALINA_OPTS KAFKA_OPTS LEIN_JVM_OPTS',
    'java',
  ],
  ['TAR_OPTIONS', 'tar'],
  ['MAKEFLAGS GNUMAKEFLAGS MFLAGS', 'make'],
  ['GOFLAGS', 'go'],
  ['CFLAGS CXXFLAGS CPPFLAGS LDFLAGS', 'gcc'],
  ['RUSTFLAGS CARGO_BUILD_RUSTFLAGS RUSTDOCFLAGS', 'rustc'],
  ['FZF_DEFAULT_OPTS SKIM_DEFAULT_OPTIONS', 'fzf'],
  ['LESS MORE', 'less'],
  ['ZIPOPT', 'zip'],
  ['ERL_FLAGS ERL_AFLAGS ELIXIR_ERL_OPTIONS', 'erl'],
  ['MANOPT', 'man'],
] as const)
  add(['options', program], name)
// These are code of a language, or the name of a file of code.
add(['vim', '-c'], 'VIMINIT EXINIT')
add(['perl', '-e'], 'PERL5DB')
add(['lua', '-e'], 'LUA_INIT LUA_INIT_5_3 LUA_INIT_5_4')
add(['python3'], 'PYTHONSTARTUP')
add(['rscript'], 'R_PROFILE R_PROFILE_USER')

/** Judges a variable that is set for a program, or for every later one: `PAGER='rm -rf /' git log`. */
export function checkVariable(name: string, value: VariableValue, span: Span, frame: Frame, analysis: Analysis): void {
  const kind = kinds.get(name) ?? (/^CARGO_TARGET_\w+_(RUNNER|LINKER)$/.test(name) ? 'program' : undefined)
  if (kind === undefined) return
  const { text, from } = value
  // A value that nobody knows is not worth asking about, unless it is a library or comes from the network.
  if (text === '' || (/^\0+$/.test(text) && kind !== 'preloaded' && !(from & origins.network))) return
  const scope = frame.scope.copy()
  scope.stdin = unknownStream
  const inner: Frame = {
    ...frame,
    scope,
    stdin: unknownStream,
    env: new Map(),
    via: [...frame.via, name],
    isEscape: true,
  }
  const at = { ...literal(text, span), from }
  switch (kind) {
    case 'prompt':
      runPrompt({ text, span }, analysis, inner)
      return
    case 'command':
      for (const command of value.list ?? [at]) {
        if (/^(true|false|cat|less)?$/.test(command.value)) continue
        reportForeignCode(firstWord(command.value), span, inner, analysis)
        // `LESSOPEN='|lesspipe %s'`: a pipe at the beginning is part of less's own syntax.
        const code = command.value.replace(/^\|[|-]?/, '')
        runCode(code, command.from, { ...command, value: code }, inner, analysis)
      }
      return
    case 'program':
      reportForeignCode(firstWord(text), span, inner, analysis)
      if (/\s-\w*c\s/.test(text)) runCode(text, from, at, inner, analysis)
      return
    case 'sourced':
      // ENV=production is what many programs call their stage.
      if (name === 'ENV' && !/[/$`]/.test(text)) return
      runPrompt({ text, span }, analysis, inner)
      reportForeignCode(text, span, inner, analysis)
      runStream(fileStream(at, scope), at, inner, analysis, true)
      return
    case 'preloaded':
      reportPreload(text, span, analysis)
      return
    case 'searched':
      checkFolders(name, text, span, inner, analysis)
      return
    default:
      runAs(kind, text, span, inner, analysis)
  }
}

function runAs([program = '', option]: readonly string[], text: string, span: Span, frame: Frame, analysis: Analysis) {
  if (program === 'options') {
    const language = interpreterOf(option ?? '')?.language
    // Quotes belong to the code.
    const words = language ? text.split(/\s+(?=-[MmIWTtUdw-])/).slice(0, 64) : []
    if (language)
      readCodeInOptions(
        language,
        words.map(word => literal(word, span)),
        frame,
        analysis,
      )
    const args = splitOptions(text).map(word => literal(word, span))
    runCodeOptions(new ProgramCall(option ?? '', args, frame, analysis.context), analysis)
    return
  }
  const file = /^@(.*)$/s.exec(text)?.[1] ?? (option === undefined ? text : undefined)
  if (file !== undefined) reportForeignCode(file, span, frame, analysis)
  const args = file === undefined ? [option ?? '', text] : [file]
  analysis.runProgram(
    [program, ...args].map(word => literal(word, span)),
    frame,
  )
}

/** Words, without quotes; what make evaluates and what less runs reaches to the end. */
function splitOptions(text: string): string[] {
  const [, before = '', option = '', rest = ''] = /^(.*?)(--eval(?==)|\+(?=[!|]))=?(.*)$/s.exec(text) ?? [text, text]
  const words = before.match(/(?:[^\s"']|"[^"]*"|'[^']*')+/g) ?? []
  const plain = words.slice(0, 64).map(word => word.replace(/["']/g, ''))
  return option === '' ? plain : [...plain, option === '+' ? `+${rest}` : `${option}=${rest}`]
}

/** Only folders that come before the usual ones can take another program's place. */
function checkFolders(name: string, text: string, span: Span, frame: Frame, analysis: Analysis): void {
  for (const folder of text.split(/[:;]/).slice(0, 32)) {
    if (name === 'PATH' && (folder.includes(unknownText) || /^\/(usr\/)?(local\/)?s?bin\/?$/.test(folder))) return
    if (reportForeignCode(folder, span, frame, analysis, true)) return
  }
}

function firstWord(text: string): string {
  return /^\s*([^\s;|&]*)/.exec(text)?.[1] ?? ''
}
