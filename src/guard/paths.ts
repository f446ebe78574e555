import type { ShellContext } from './interpret/analysis.ts'
import { type Argument, unknownText } from './interpret/arguments.ts'
import { isToolCache } from './tool-caches.ts'
import { trimEnd } from './trim-end.ts'
import { list } from './word-list.ts'

/**
 * What kind of path it is, after `~`, `..` and `cd` are resolved. A glob that matches everything (`/etc/*`) counts as the
 * folder itself.
 *
 * root             /
 * home             someone's home folder, or the folder of all home folders
 * system           /etc, /usr, /var and others, and everything in them
 * device           /dev/sda and the like
 * sink             /dev/null and other harmless devices
 * git              .git and everything in it
 * workspace-root   the whole workspace, or a folder that contains it
 * build            what a build recreates: node_modules, dist and others, caches of package managers
 * workspace        other files of the workspace
 * tmp              in a folder for temporary files
 * outside          anything else outside the workspace
 * dynamic          known only at run time
 */
export type PathClass =
  | 'root'
  | 'home'
  | 'system'
  | 'device'
  | 'sink'
  | 'git'
  | 'workspace-root'
  | 'build'
  | 'workspace'
  | 'tmp'
  | 'outside'
  | 'dynamic'

/** Stands for a home folder that is unknown. No real path contains NUL. */
export const unknownHome = `/home/${unknownText}`

export interface ResolvedPath {
  class: PathClass
  /** Normalized and absolute, without a glob that matches everything; null if it is dynamic. */
  path: string | null
  /** The last name, as written. */
  name: string
  /** Whether it stands for everything inside `path`. */
  everything: boolean
}

export function resolvePath(
  arg: Pick<Argument, 'value' | 'glob'>,
  context: ShellContext,
  cwd: string | null,
): ResolvedPath {
  const { value, everything } = arg.glob ? withoutTotalGlob(arg.value) : { value: arg.value, everything: false }
  // There is no file without a name: `rm -rf "$1"` does nothing if nothing is given.
  if (arg.value === '') return { class: 'sink', path: null, name: '', everything }
  const name = trimEnd(value, '/').split('/').at(-1) ?? ''
  const path = absolute(value, cwd)
  if (path === null) return { class: dynamicClass(value), path, name, everything }
  const kind = classifyPath(path, context)
  // A workspace may be in a folder for temporary files; `..` leads out of it all the same.
  const escapes = kind === 'tmp' && value.includes('..') && cwd !== null && isInside(`${cwd}/`, context.workspace)
  return { class: escapes ? 'outside' : kind, path, name, everything }
}

/** `dir/*`, `dir/.*` and `dir/**` mean everything in dir. */
function withoutTotalGlob(value: string): { value: string; everything: boolean } {
  let rest = value
  for (let end = value.length; ; ) {
    while (end > 1 && value[end - 1] === '/') end -= 1
    const at = value.lastIndexOf('/', end - 1)
    if (!totalGlob.test(value.slice(at + 1, end))) break
    rest = at < 0 ? '.' : value.slice(0, at) || '/'
    if (at <= 0) break
    end = at
  }
  return { value: rest, everything: rest !== value && rest !== trimEnd(value, '/') }
}

const totalGlob = /^(\*+|\.\*|\.?\[[!^][^\]]*\]\*|\.?\.?\?+\*?|\*+\.\*+|\.?[!@*+?]\(.*\)\*?)$/

/** Normalized; null if its beginning is unknown. */
export function absolute(value: string, cwd: string | null): string | null {
  if (value.startsWith(unknownText)) return null
  const full = value.startsWith('/') ? value : cwd === null ? null : `${cwd}/${value}`
  if (full === null) return null
  // Nearly every path: nothing to resolve.
  if (!/\/[./]|\/$|\0/.test(full)) return full
  const names: string[] = []
  for (const name of full.split('/')) {
    if (name === '' || name === '.') continue
    if (name === '..') names.pop()
    else names.push(name)
  }
  // `/$x` can be anything; `dist/$x` is in dist, barring a deliberate `..` in the variable.
  const firstHole = names.findIndex(name => name.includes(unknownText))
  if (firstHole === 0 && names[0]?.startsWith(unknownText)) return null
  return `/${names.join('/')}`
}

function isInside(path: string, folder: string): boolean {
  return folder === '/' ? path !== '/' : path.startsWith(folder) && path.charCodeAt(folder.length) === 47
}

function classifyPath(path: string, context: ShellContext): PathClass {
  const { workspace, home } = context
  if (path === '/') return 'root'
  if (path === home || homeFolders.test(path)) {
    const isOnlyWorkspace = path === workspace && path !== home && home !== unknownHome
    return isOnlyWorkspace ? 'workspace-root' : 'home'
  }
  if (path === workspace || isInside(workspace, path)) {
    return path === workspace ? 'workspace-root' : systemFolders.test(path) ? 'system' : 'workspace-root'
  }
  if (isInside(path, workspace) && !isExcluded(path, workspace, home)) {
    const names = path.slice(workspace === '/' ? 1 : workspace.length + 1).split('/')
    if (names.includes('.git')) return 'git'
    if (names.some(isBuildName)) return 'build'
    // `./$x` may be the whole workspace.
    return names[0]?.startsWith(unknownText) ? 'dynamic' : 'workspace'
  }
  if (path.startsWith('/dev/')) return harmlessDevices.test(path) ? 'sink' : sharedMemory.test(path) ? 'tmp' : 'device'
  if (temporaryFolders.test(path)) return 'tmp'
  // In a container or on another machine the workspace is unknown, but build folders are recognizable.
  if (workspace === unknownText && !systemFolders.test(path) && isBuildName(path.split('/').at(-1) ?? ''))
    return 'build'
  if (isToolCache(path, home)) return 'build'
  if (systemFolders.test(path)) return 'system'
  return 'outside'
}

/** A workspace that is the home folder, may be it, or is `/`, does not include keys, settings or the system. */
function isExcluded(path: string, workspace: string, home: string): boolean {
  if (workspace === '/')
    return systemFolders.test(path) || temporaryFolders.test(path) || path.startsWith('/dev/') || isInside(path, home)
  const inside = path.slice(workspace.length + 1)
  if (workspace === home || (home === unknownHome && homeFolders.test(workspace))) return personalFiles.test(inside)
  return home === unknownHome && foundInHomesOnly.test(inside)
}

const personalFiles =
  /^(\.(?!git(ignore|attributes|hub)?(\/|$))|(Documents|Desktop|Downloads|Pictures|Music|Movies|Videos|Library|Public)(\/|$))/
/** What projects do not have: in a folder with these, even one with an unusual name, someone is at home. */
const foundInHomesOnly =
  /^(\.(ssh|gnupg|aws|azure|kube|config|local|mozilla|password-store|mail|thunderbird|(bash|zsh)\w*|profile|netrc)|Documents|Desktop|Downloads|Pictures|Music|Movies|Videos)(\/|$)/

/** Even if a path's beginning is unknown, its end may tell: `$X/node_modules`. */
function dynamicClass(value: string): PathClass {
  const names = trimEnd(value, '/').split('/')
  if (names.includes('..')) return 'dynamic'
  if (names.length === 1 || names[0]?.startsWith(unknownText))
    return isBuildName(names.at(-1) ?? '') ? 'build' : 'dynamic'
  return names.slice(0).some(isBuildName) ? 'build' : 'dynamic'
}

const homeFolders = /^(\/home|\/Users|\/root|\/home\/[^/]+|\/Users\/[^/]+)$/
const systemFolders =
  /^\/(etc|usr|bin|sbin|lib|lib32|lib64|libx32|boot|var|opt|srv|sys|proc|run|snap|mnt|media|nix|System|Library|Applications|Volumes|private\/(etc|var)|cores|[a-z]?[*?[].*|[a-z]{1,2}[*?].*)(\/|$)/
const harmlessDevices =
  /^\/dev\/(null|zero|full|stdin|stdout|stderr|tty\d*|pts\/\S+|fd\/.*|u?random|console|tcp\/.*|udp\/.*)$/
const sharedMemory = /^\/dev\/(shm|mqueue)\/[^/]/
const temporaryFolders = /^(\/private)?\/(tmp|var\/tmp|var\/folders)\/[^/*?]/

/**
 * Whether nothing is lost with it, by the names in its path, relative to the workspace: a build, an install or a test run makes
 * it again, or an editor left it.
 */
export function isRebuilt(path: string): boolean {
  const names = trimEnd(path, '/').split('/')
  return names.some(isBuildName) || isRemade(names.at(-1) ?? '')
}

/** What comes back by itself, beside what a build makes. */
export function isRemade(name: string): boolean {
  return remadeNames.test(name)
}

const remadeNames =
  /^((package-lock|npm-shrinkwrap)\.json|(yarn|Cargo|poetry|uv|pdm|Gemfile|composer|Pipfile|Podfile|mix|flake|bun|deno)\.lock|bun\.lockb|pnpm-lock\.yaml|go\.sum|__snapshots__|.+~|.+\.(sw[a-p]|orig|rej|snap|tgz|egg|gem|crate))$/

function isBuildName(name: string): boolean {
  return (
    buildNames.has(name) ||
    /^(cmake-build-.+|bazel-.+|.+\.egg-info|\.?nyc_output|\.?tmp[-_.].*|.*\.(pyc|pyo|o|obj|class|log|tmp|cache|tsbuildinfo))$/.test(
      name,
    )
  )
}

const buildNames = new Set(
  list(`node_modules bower_components jspm_packages dist build out output target bin obj Debug Release .next .nuxt .output .svelte-kit .astro
  .angular .turbo .parcel-cache .cache .vite .vercel .netlify .serverless .webpack storybook-static .docusaurus _site public/build
  coverage .coverage htmlcov .nyc_output test-results playwright-report junit.xml allure-results reports __pycache__ .pytest_cache .mypy_cache
  .ruff_cache .tox .nox .venv venv env .eggs site-packages wheelhouse .ipynb_checkpoints vendor .bundle .gradle .mvn-cache .m2 .dart_tool
  .pub-cache Pods DerivedData .build xcuserdata .stack-work dist-newstyle _build deps elm-stuff .elixir_ls zig-cache zig-out .zig-cache
  CMakeFiles CMakeCache.txt tmp temp .tmp .temp logs log .terraform .sass-cache .eslintcache .stylelintcache .tsbuildinfo lcov.info
  generated gen __generated__ .nx .rollup.cache .rpt2_cache .expo .yarn .pnpm-store .npm cache .DS_Store Thumbs.db artifacts`),
)
