import { type Argument, literal, unknownText } from '../../interpret/arguments.ts'
import type { ProgramCall } from '../../program-call.ts'
import type { GuardRule } from '../rule.ts'

/** Code that another program loads: by a variable, by an option of a compiler, from a module's address. */
export const loadingRules: readonly GuardRule[] = [
  {
    id: 'code/preloaded',
    program: '*',
    when: call => {
      const { env, scope } = call.frame
      if ((env.size === 0 && scope.variables.size === 0) || /^[<>]/.test(call.program)) return false
      for (const [name, paths] of preloads) {
        const text = env.get(name)?.text ?? scope.variables.get(name)?.text
        if (text && paths(text).some(path => isForeign(path, call))) return true
      }
      return false
    },
    severity: 'high',
    reason: 'loads code from outside the workspace into the program',
    match: [
      "NODE_OPTIONS='--require /tmp/hook.js' npm test",
      'NODE_OPTIONS=--import=/tmp/hook.mjs node app.js',
      'RUBYOPT=-r/tmp/evil.rb bundle exec rspec',
      'PERL5OPT=-Mlib=/tmp/x perl a.pl',
      'PYTHONSTARTUP=/tmp/x.py python3 -i',
      'PYTHONPATH=/tmp/pp python3 app.py',
      'JAVA_TOOL_OPTIONS=-javaagent:/tmp/agent.jar ./gradlew test',
      'RUSTC_WRAPPER=/tmp/w.sh cargo build',
      'export NODE_OPTIONS="-r /tmp/x.js"; npm run build',
    ],
    notMatch: [
      'NODE_OPTIONS=--max-old-space-size=4096 npm run build',
      "NODE_OPTIONS='--require ./test/setup.js' npm test",
      'PYTHONPATH=src python3 -m pytest',
      'PYTHONPATH=/home/me/project/src python3 app.py',
      'RUBYOPT=-W0 bundle exec rspec',
      'RUSTC_WRAPPER=sccache cargo build',
      'JAVA_TOOL_OPTIONS=-Xmx2g ./gradlew test',
      'PYTHONPATH=/usr/lib/python3/dist-packages python3 app.py',
    ],
  },
  {
    id: 'code/preload-option',
    program: ['node', 'nodejs', 'tsx', 'ts-node', 'bun', 'ruby', 'perl', 'php', 'java'],
    when: call =>
      call.args
        .flatMap((arg, i) => {
          const before = call.args[i - 1]?.value ?? ''
          const glued = preloadOption.exec(arg.value)?.[1]
          if (glued !== undefined) return [{ ...arg, value: glued }]
          return /^(?:-r|-I|--require|--import|--loader|--experimental-loader|--preload)$/.test(before) ? [arg] : []
        })
        .find(({ value }) => isForeign(value, call)) ?? false,
    severity: 'high',
    reason: 'loads code from outside the workspace into the program',
    match: [
      'node -r /tmp/hook.js app.js',
      'node --import=/tmp/hook.mjs app.js',
      'ruby -r/tmp/evil.rb app.rb',
      'perl -I/tmp/lib app.pl',
      'php -d auto_prepend_file=/tmp/x.php index.php',
      'java -javaagent:/tmp/agent.jar -jar app.jar',
    ],
    notMatch: [
      'node -r ./setup.js app.js',
      'node --import tsx app.ts',
      'ruby -rjson -e "puts 1"',
      'perl -Ilib app.pl',
      'java -jar /tmp/app.jar',
      'php -d memory_limit=1G index.php',
    ],
  },
  {
    id: 'code/compiler-program',
    program: ['gcc', 'g++', 'cc', 'c++', 'clang', 'clang++', 'rustc', 'go', 'cargo', 'ld'],
    when: call => compilerPrograms(call).find(({ value }) => isForeign(value, call)) ?? false,
    severity: 'high',
    reason: 'makes a compiler run a program from outside the workspace',
    match: [
      'gcc -wrapper /tmp/payload.sh main.c',
      'gcc -B/tmp/bin main.c',
      'clang -fplugin=/tmp/x.so main.c',
      'rustc -C linker=/tmp/ld main.rs',
      'go build -toolexec=/tmp/x ./...',
      'go build -toolexec /tmp/x ./...',
      `cargo --config 'build.rustc-wrapper="/tmp/x"' build`,
    ],
    notMatch: [
      'gcc -o /tmp/a main.c',
      'gcc -I/tmp/include main.c',
      'go build -o /tmp/x ./...',
      'rustc -C linker=clang main.rs',
      'gcc -wrapper valgrind main.c',
    ],
  },
  {
    id: 'code/remote-module',
    program: 'go',
    sub: 'run',
    operand: ({ value }, call) => call.after(1)[0]?.value === value && isUnknownModule(value),
    severity: 'medium',
    reason: 'downloads a module and runs it at once',
    match: ['go run git.example.net/x/setup@latest', 'go run github.com/someone/fixit/cmd/fixit@v1.2.3'],
    notMatch: [
      'go run ./cmd/app',
      'go run main.go user@host.example',
      'go run golang.org/x/tools/cmd/goimports@latest -w .',
      'go run github.com/golangci/golangci-lint/cmd/golangci-lint@v1.60.0 run',
    ],
  },
]

/** Variables that name code to load, and the paths in their values. */
const preloads: readonly (readonly [name: string, paths: (text: string) => string[]])[] = [
  [
    'NODE_OPTIONS',
    text => optionValues(text, /(?:^|\s)(?:-r|--require|--import|--loader|--experimental-loader)[=\s]+(\S+)/g),
  ],
  ['BUN_OPTIONS', text => optionValues(text, /(?:^|\s)(?:-r|--preload)[=\s]+(\S+)/g)],
  ['RUBYOPT', text => optionValues(text, /(?:^|\s)-[rI]\s*(\S+)/g)],
  ['PERL5OPT', text => optionValues(text, /(?:^|\s)-(?:I|Mlib=)\s*(\S+)/g)],
  ['PERL5LIB', folders],
  ['PYTHONPATH', folders],
  ['PYTHONHOME', folders],
  ['PYTHONSTARTUP', folders],
  ['NODE_PATH', folders],
  ['RUBYLIB', folders],
  ['LUA_INIT', text => optionValues(text, /^@(\S+)/g)],
  ['JAVA_TOOL_OPTIONS', text => optionValues(text, /-(?:javaagent:|agentpath:|Xbootclasspath\/[ap]:)([^\s=]+)/g)],
  ['_JAVA_OPTIONS', text => optionValues(text, /-(?:javaagent:|agentpath:|Xbootclasspath\/[ap]:)([^\s=]+)/g)],
  ['MAVEN_OPTS', text => optionValues(text, /-(?:javaagent:|agentpath:)([^\s=]+)/g)],
  ['R_PROFILE_USER', folders],
  ['RUSTC_WRAPPER', firstWord],
  ['RUSTC', firstWord],
  ['CC', firstWord],
  ['CXX', firstWord],
]

const preloadOption =
  /^(?:--(?:require|import|loader|experimental-loader|preload)=|-[rI](?=\/)|-javaagent:|-agentpath:|(?:-d)?(?:auto_prepend_file|auto_append_file|extension|zend_extension)=)([^=]+)/

function optionValues(text: string, pattern: RegExp): string[] {
  return [...text.matchAll(pattern)].map(([, value = '']) => value)
}

function folders(text: string): string[] {
  return text.split(':')
}

function firstWord(text: string): string[] {
  return [text.trim().split(/\s+/)[0] ?? '']
}

/** In a folder for temporary files, or hidden in the home folder: where nothing that a project loads belongs. */
function isForeign(path: string, call: ProgramCall): boolean {
  const plain = path.replace(/^["']|["']$/g, '')
  if (!plain.startsWith('/') || plain.includes(unknownText)) return false
  const { class: kind, path: full } = call.path(literal(plain, call.frame.span))
  return (
    kind === 'tmp' ||
    (kind === 'outside' && /\/\.(?!local\/|cargo\/|rustup\/|nvm\/|pyenv\/|asdf\/)[^/]+(\/|$)/.test(full ?? ''))
  )
}

function compilerPrograms({ args }: ProgramCall): Argument[] {
  return args.flatMap((arg, i) => {
    const before = args[i - 1]?.value ?? ''
    if (/^--?(?:wrapper|toolexec|exec)$/.test(before)) return [{ ...arg, value: arg.value.split(',')[0] ?? '' }]
    const given =
      /^(?:-B|-fplugin=|-wrapper=|-?-toolexec=|-exec=|-plugin=?|-Clinker=|linker=)(.+)$/s.exec(arg.value) ??
      /(?:rustc-wrapper|linker|runner|rustc)\s*=\s*"?([^"]+)"?$/.exec(before === '--config' ? arg.value : '')
    return given?.[1] === undefined ? [] : [{ ...arg, value: given[1] }]
  })
}

/** A module with a version, of an owner whose tools are not known to everybody. */
function isUnknownModule(value: string): boolean {
  return /^[\w-]+(?:\.[\w-]+)+\/[^@\s]+@\S+$/.test(value) && !wellKnownModules.test(value)
}

const wellKnownModules =
  /^(?:(?:golang\.org\/x|google\.golang\.org|mvdan\.cc|honnef\.co|gotest\.tools|go\.uber\.org|sigs\.k8s\.io|k8s\.io|entgo\.io|ariga\.io|gorm\.io|go\.opentelemetry\.io|goa\.design|mellium\.im)\/|github\.com\/(?:golang|golangci|google|golang-migrate|goreleaser|magefile|onsi|vektra|bufbuild|pressly|grpc|grpc-ecosystem|uber|uber-go|mgechev|securego|99designs|oapi-codegen|deepmap|kisielk|dominikh|segmentio|air-verse|cosmtrek|a-h|swaggo|sqlc-dev|hashicorp|kubernetes|kubernetes-sigs|wailsapp|fyne-io|tinygo-org|matryer|maxbrunsfeld|rakyll|client9|go-swagger|gqlgen|jstemmer|boumenot|axw|mikefarah|charmbracelet|cli|evilmartians|securego|daixiang0|incu6us|norwoodj|terraform-docs|bazelbuild|go-delve|ko-build)\/)/
