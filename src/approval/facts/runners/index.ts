import {
  runCompose,
  runDocker,
  runKubectl,
  runMake,
  runPackageBinary,
  runPackageManager,
  runWithDefaults,
  runWithFolder,
} from './builders.ts'
import { runGit } from './git.ts'
import { runNode, runPython, runScript, runShell, runSource } from './interpreters.ts'
import { type Runner, valuesOf } from './runner.ts'

/** How to find the code that a program runs; undefined for programs that run none but their own. */
export function runnerOf(program: string): Runner | undefined {
  const name = program.replace(/\.exe$/i, '').replace(/^(python|pypy|ruby|perl|php|lua|node)[\d.]+$/, '$1')
  return Object.hasOwn(runners, name) ? runners[name] : undefined
}

const ruby = runScript('ruby', /^-[a-z]*e$/, ['-r', '-I', '-C'])
const terraform = runWithFolder(['*.tf', '*.tf.json', '*.tfvars', '*.tfvars.json', '.terraform.lock.hcl'], ['-chdir'])
const gradle = runWithDefaults([
  'build.gradle',
  'build.gradle.kts',
  'settings.gradle',
  'settings.gradle.kts',
  'gradle.properties',
])

const runners: Readonly<Record<string, Runner>> = {
  ...each('sh bash zsh dash ksh mksh ash fish rbash', runShell),
  ...each('. source', runSource),
  ...each('python pypy ipython', runPython),
  ...each('node nodejs tsx ts-node deno', runNode),
  ruby,
  perl: runScript('perl', /^-[a-zA-Z]*[eE]$/, ['-I', '-M', '-m']),
  php: runScript('other', /^-[rRBE]$/, ['-d', '-c', '-S', '-t']),
  ...each('lua luajit rscript julia elixir groovy tclsh expect swift osascript', runScript('other', /^-e$/, ['-l'])),
  java: runScript('other', /^$/, ['-jar', '-cp', '-classpath', '--class-path']),
  ...each('make gmake', runMake),
  ...each('npm pnpm yarn', runPackageManager),
  bun: (call, bound) =>
    (/^(run|test|start|install|i|add|x)$/.test(call.args[0] ?? '') ? runPackageManager : runNode)(call, bound),
  ...each('npx pnpx bunx', runPackageBinary),
  ...each('docker podman nerdctl', runDocker),
  ...each('docker-compose podman-compose', runCompose),
  ...each('kubectl oc helm', runKubectl),
  ...each('terraform tofu', terraform),
  git: runGit,
  ...each('psql mysql mariadb sqlite3 sqlcmd duckdb', runSql),
  just: runWithDefaults(['justfile', 'Justfile', '.justfile']),
  rake: runWithDefaults(['Rakefile', 'rakefile', 'Rakefile.rb', 'Gemfile', 'Gemfile.lock'], 'ruby'),
  ...each('bundle bundler rails rspec', runWithDefaults(['Gemfile', 'Gemfile.lock', 'Rakefile'], 'ruby')),
  tox: runWithDefaults(['tox.ini', 'pyproject.toml', 'setup.cfg', 'setup.py']),
  nox: runWithDefaults(['noxfile.py'], 'python'),
  ...each('pytest py.test', runWithDefaults(['conftest.py', 'pytest.ini', 'pyproject.toml', 'setup.cfg', 'tox.ini'])),
  ...each('invoke inv', runWithDefaults(['tasks.py'], 'python')),
  fab: runWithDefaults(['fabfile.py'], 'python'),
  alembic: runWithDefaults(['alembic.ini', 'alembic/env.py']),
  ...each('gradle gradlew', gradle),
  ...each('mvn mvnw', runWithDefaults(['pom.xml'])),
  ant: runWithDefaults(['build.xml']),
  cargo: runWithDefaults(['Cargo.toml', 'Cargo.lock', 'build.rs', '.cargo/config.toml']),
  go: runWithDefaults(['go.mod', 'go.sum', 'go.work']),
  cmake: runWithDefaults(['CMakeLists.txt', 'CMakePresets.json']),
  ninja: runWithDefaults(['build.ninja']),
  task: runWithDefaults(['Taskfile.yml', 'Taskfile.yaml', 'taskfile.yml']),
  vagrant: runWithDefaults(['Vagrantfile'], 'ruby'),
  gulp: runWithDefaults(['gulpfile.js', 'gulpfile.mjs', 'gulpfile.ts'], 'javascript'),
  grunt: runWithDefaults(['Gruntfile.js'], 'javascript'),
  ...each('serverless sls', runWithDefaults(['serverless.yml', 'serverless.ts', 'serverless.js'])),
  pulumi: runWithDefaults(['Pulumi.yaml']),
  ...each('ansible-playbook ansible', runWithDefaults(['ansible.cfg'])),
  ...each('fly flyctl', runWithDefaults(['fly.toml'])),
  wrangler: runWithDefaults(['wrangler.toml', 'wrangler.json', 'wrangler.jsonc']),
  prisma: runWithDefaults(['package.json', 'prisma/schema.prisma', 'prisma.config.ts']),
  composer: runWithDefaults(['composer.json', 'composer.lock']),
}

/** psql -f x.sql: what it does is written there. */
function runSql(...[{ args }, bound]: Parameters<Runner>): void {
  for (const file of valuesOf(args, '-f', '--file', '-init', '-i')) bound.code(file, 'sql')
}

function each(names: string, runner: Runner): Record<string, Runner> {
  return Object.fromEntries(names.split(' ').map(name => [name, runner]))
}
