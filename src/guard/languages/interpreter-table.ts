import { list } from '../word-list.ts'
import type { Language } from './language.ts'

/** How a program that runs code in a language reads its arguments. */
export interface Interpreter {
  language: Language
  /** Options whose value is code. */
  code: readonly string[]
  /** Options whose value is not code. */
  values?: readonly string[]
  /** Options after which stdin is data, not code: `python -m json.tool`. */
  data?: readonly string[]
  /** Subcommands whose operand is code: `deno eval`. */
  evals?: readonly string[]
  /** Subcommands whose operand is a file of code: `go run`. */
  runs?: readonly string[]
  /** Only these subcommands run code; everything else is another program's business. */
  onlySubcommands?: true
  /** A compiler, which reads every file that it is given; what it makes runs later. */
  compiles?: true
}

const python: Interpreter = { language: 'python', code: ['-c'], values: ['-W', '-X', '-Q', '-m'], data: ['-m'] }
const node: Interpreter = {
  language: 'javascript',
  code: ['-e', '--eval', '-p', '--print', '-pe'],
  values: ['-r', '--require', '--import', '--loader', '-C', '--conditions', '--env-file', '--input-type'],
}
const ruby: Interpreter = { language: 'ruby', code: ['-e'], values: ['-r', '-I', '-C'] }
const lua: Interpreter = { language: 'lua', code: ['-e'], values: ['-l'] }
const awk: Interpreter = { language: 'awk', code: [] }
const r: Interpreter = { language: 'r', code: ['-e'], values: ['-f', '--file', '--encoding', '-g'] }
const elixir: Interpreter = {
  language: 'elixir',
  code: list('-e --eval --rpc-eval'),
  values: list('-r -S -pa -pz -pr --name --sname --cookie --erl'),
}
const java: Interpreter = {
  language: 'java',
  code: [],
  values: list('-cp -classpath --class-path -p --module-path -m --module --add-modules --source -d'),
}
const groovy: Interpreter = {
  language: 'java',
  code: list('-e -c --expr --execute'),
  values: list('-cp -classpath --classpath'),
}
const compiler: Interpreter = {
  language: 'c',
  code: [],
  values: list('-o -x -I -L -include -isystem -D -U -std -MF -MT -target -arch'),
  compiles: true,
}
const tcl: Interpreter = { language: 'tcl', code: [] }
const lisp: Interpreter = {
  language: 'lisp',
  code: list('-c -e --eval -eval --execute -x --expr'),
  values: list('-l --load -Sdeps -f --funcall -q --script'),
}
const octave: Interpreter = { language: 'octave', code: list('--eval -batch -r -e'), values: list('-p --path') }

export const interpreters: Readonly<Record<string, Interpreter>> = {
  python,
  python2: python,
  python3: python,
  pypy: python,
  pypy3: python,
  ipython: python,
  jython: python,
  micropython: python,
  py: python,
  node,
  nodejs: node,
  tsx: node,
  'ts-node': node,
  'vite-node': node,
  qjs: node,
  zx: node,
  bun: node,
  deno: { ...node, evals: ['eval', 'repl'] },
  ruby,
  jruby: ruby,
  irb: ruby,
  crystal: { language: 'ruby', code: [], evals: ['eval'], runs: ['run'], onlySubcommands: true },
  perl: { language: 'perl', code: ['-e', '-E'], values: ['-I', '-M', '-m'] },
  raku: { language: 'perl', code: ['-e'], values: ['-I', '-M'] },
  php: { language: 'php', code: ['-r', '-R', '-B', '-E'], values: ['-d', '-c', '-f', '-S', '-t'] },
  lua,
  luajit: lua,
  luau: lua,
  texlua: lua,
  osascript: { language: 'applescript', code: ['-e'], values: ['-l'] },
  rscript: r,
  r,
  littler: r,
  awk,
  gawk: awk,
  mawk: awk,
  nawk: awk,
  julia: { language: 'julia', code: list('-e --eval -E --print'), values: list('-p --procs -t --threads -J -C -L -m') },
  elixir,
  iex: elixir,
  mix: { language: 'elixir', code: list('-e --eval'), evals: ['eval'], runs: ['run'], onlySubcommands: true },
  erl: { language: 'erlang', code: ['-eval'], values: list('-pa -pz -name -sname -setcookie -s -run -config') },
  escript: { language: 'erlang', code: [] },
  ghc: { language: 'haskell', code: ['-e'], values: ['-o', '-package'] },
  runghc: { language: 'haskell', code: [] },
  runhaskell: { language: 'haskell', code: [] },
  ghci: { language: 'haskell', code: ['-e'] },
  ocaml: { language: 'haskell', code: ['-e'], values: ['-I'] },
  guile: lisp,
  sbcl: lisp,
  clisp: lisp,
  ecl: lisp,
  ccl: lisp,
  bb: lisp,
  clj: lisp,
  clojure: lisp,
  racket: lisp,
  csi: lisp,
  gosh: lisp,
  emacs: lisp,
  emacsclient: lisp,
  octave,
  'octave-cli': octave,
  matlab: octave,
  scilab: octave,
  tclsh: tcl,
  wish: tcl,
  nim: { language: 'nim', code: list('--eval'), runs: list('e r c cpp'), onlySubcommands: true },
  java,
  jshell: { ...java, values: list('--class-path --module-path -C -R') },
  javac: { ...java, compiles: true },
  groovy,
  groovysh: groovy,
  kotlin: groovy,
  kotlinc: { ...groovy, code: ['-e'] },
  scala: groovy,
  'scala-cli': { ...groovy, runs: ['run', 'eval'] },
  jbang: { ...groovy, runs: ['run'] },
  csharp: groovy,
  'dotnet-script': { ...groovy, evals: ['eval'] },
  dotnet: { ...groovy, evals: ['eval'], runs: ['script', 'run'], onlySubcommands: true },
  go: {
    language: 'c',
    code: [],
    values: list('-exec -tags -ldflags -o'),
    runs: ['run', 'build', 'install'],
    onlySubcommands: true,
  },
  gcc: compiler,
  cc: compiler,
  clang: compiler,
  'g++': compiler,
  'c++': compiler,
  'clang++': compiler,
  tcc: compiler,
  swift: { language: 'c', code: ['-e'] },
  swiftc: compiler,
  dart: { language: 'c', code: [], runs: ['run'] },
  zig: { language: 'c', code: [], runs: ['run'], onlySubcommands: true },
  rdmd: { language: 'c', code: ['--eval', '--loop'] },
  v: { language: 'c', code: ['-e'], runs: ['run'] },
  'rust-script': { language: 'rust', code: list('-e --expr -l --loop'), values: ['-d', '--dep'] },
  rustc: { ...compiler, language: 'rust' },
  cargo: { language: 'rust', code: [], evals: ['eval'], runs: ['script'], onlySubcommands: true },
}
