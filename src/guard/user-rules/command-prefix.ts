// How many words say what a program does: two for `git push`, three for `npm run build`. Only programs in this table have a
// prefix that can always be allowed; interpreters, shells, wrappers and programs that delete are left out on purpose.
const counts: Readonly<Record<string, number>> = {
  git: 2,
  'git stash': 3,
  'git remote': 3,
  'git worktree': 3,
  'git submodule': 3,
  gh: 3,
  glab: 3,
  npm: 2,
  'npm run': 3,
  pnpm: 2,
  'pnpm run': 3,
  yarn: 2,
  'yarn run': 3,
  bun: 2,
  'bun run': 3,
  pip: 2,
  pip3: 2,
  pipx: 2,
  uv: 2,
  'uv pip': 3,
  poetry: 2,
  cargo: 2,
  go: 2,
  gem: 2,
  bundle: 2,
  composer: 2,
  mvn: 2,
  gradle: 2,
  brew: 2,
  apt: 2,
  'apt-get': 2,
  docker: 2,
  'docker compose': 3,
  'docker image': 3,
  'docker container': 3,
  'docker volume': 3,
  'docker network': 3,
  podman: 2,
  kubectl: 3,
  helm: 2,
  terraform: 2,
  'terraform workspace': 3,
  tofu: 2,
  pulumi: 2,
  aws: 3,
  gcloud: 4,
  az: 3,
  heroku: 2,
  fly: 2,
  vercel: 2,
  netlify: 2,
  systemctl: 3,
  rake: 2,
  make: 2,
}

// A map, because a program may be called `constructor`.
const wordCounts = new Map(Object.entries(counts))

// Subcommands that run other commands: such a prefix would allow anything.
const runsOtherCommands =
  /^(exec|run|x|dlx|shell|sh|eval|config|alias|repl|console|api|ssh|debug|attach|filter-branch)$/
const namedScript = /^(npm|pnpm|yarn|bun) run$/

/** The words that say what the command does; null if no prefix of it may always be allowed. */
export function prefixOf(words: readonly string[]): string[] | null {
  const count = wordCounts.get(words.slice(0, 2).join(' ')) ?? wordCounts.get(words[0] ?? '')
  if (count === undefined || words.length < count) return null
  const prefix = words.slice(0, count)
  if (prefix.slice(1).some(word => !/^[\w:.@/-]+$/.test(word) || word.startsWith('-'))) return null
  const [, sub = ''] = prefix
  if (runsOtherCommands.test(sub) && !namedScript.test(prefix.slice(0, 2).join(' '))) return null
  return prefix
}

/** Whether a stored prefix is at least as long as the one that we would offer. */
export function isOfferedPrefix(words: readonly string[]): boolean {
  const named = prefixOf(words)
  return named !== null && words.length >= named.length
}
