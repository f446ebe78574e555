// Variables that decide which program a name means, what is loaded into it, which code it runs, and where it acts.
// The terminal, locale, temporary folders and sessions are left out: they differ between two shells of the same person.
const steeringNames = new Set([
  ...['PATH', 'HOME', 'SHELL', 'CDPATH', 'GLOBIGNORE', 'BASH_ENV', 'ENV', 'SHELLOPTS', 'BASHOPTS', 'XDG_CONFIG_HOME'],
  ...['EDITOR', 'VISUAL', 'PAGER', 'MANPAGER', 'BROWSER', 'LESSOPEN', 'LESSCLOSE', 'SSH_ASKPASS'],
  ...['NODE_OPTIONS', 'NODE_PATH', 'PERL5OPT', 'PERL5LIB', 'PERL5DB', 'PERLLIB', 'RUBYOPT', 'RUBYLIB', 'PHPRC'],
  ...['PHP_INI_SCAN_DIR', 'CLASSPATH', 'JAVA_HOME', 'JAVA_TOOL_OPTIONS', '_JAVA_OPTIONS', 'JDK_JAVA_OPTIONS'],
  ...['MAVEN_OPTS', 'GRADLE_OPTS', 'MAKEFLAGS', 'MAKEFILES', 'GNUMAKEFLAGS', 'CC', 'CXX', 'LD', 'GOFLAGS', 'GOROOT'],
  ...['RUSTFLAGS', 'RUSTC', 'RUSTC_WRAPPER', 'KUBECONFIG', 'AWS_PROFILE', 'AWS_REGION', 'AWS_DEFAULT_REGION'],
])
const steeringPrefixes =
  /^(LD_|DYLD_|GIT_|BASH_FUNC_|PYTHON|LUA_|GEM_|BUNDLE_|CARGO_|PIP_|UV_|DOCKER_|CLOUDSDK_|TF_|npm_config_)/i

/** What the environment adds to an action: the variables that steer programs, and those that the command itself names. */
export function steeringVariables(env: NodeJS.ProcessEnv, command: string): [name: string, value: string][] {
  const named = namedVariables(command)
  return Object.entries(env)
    .flatMap(([name, value]): [string, string][] => {
      const steers = steeringNames.has(name) || steeringPrefixes.test(name) || named.has(name)
      return steers && value !== undefined ? [[name, value]] : []
    })
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
}

function namedVariables(command: string): Set<string> {
  return new Set([...command.matchAll(/\$\{?[!#]?(\w+)/g)].map(([, name = '']) => name))
}

/** Bash would read a file of the asker's choice, or take functions for programs, before the command that was shown. */
export function withoutStartupFiles(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const startup = /^(BASH_ENV|ENV|SHELLOPTS|BASHOPTS|BASH_FUNC_.*)$/
  return Object.fromEntries(Object.entries(env).filter(([name]) => !startup.test(name)))
}
