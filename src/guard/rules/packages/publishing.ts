import type { Call } from '../../program-call.ts'
import type { Rule } from '../rule.ts'
import { list, said } from '../words.ts'

const npms = ['npm', 'pnpm', 'yarn', 'bun', 'cnpm', 'tnpm']

/** The words of npm and its kin, without what stands before the subcommand: `yarn npm publish`, `pnpm -r publish`. */
function npmWords(call: Call): string {
  return said(call).replace(/^(workspaces foreach )?((run )?npm|recursive) /, '')
}

// Programs of other languages, and what publishing is called there.
const publishers: Readonly<Record<string, RegExp>> = {
  cargo: /^(\+\S+ )?(publish|yank|workspaces publish|owner|release|smart-release|dist)\b/,
  gem: /^(push|yank|owner)\b/,
  twine: /^upload\b/,
  poetry: /^publish\b/,
  uv: /^publish\b/,
  flit: /^publish\b/,
  hatch: /^publish\b/,
  pdm: /^publish\b/,
  rye: /^publish\b/,
  'setup.py': /(^| )(upload|register)\b/,
  mvn: /(^| )(deploy|release:(perform|prepare)|nexus-staging:\w+)(?= |$)/,
  gradle: /(^| |:)(publish(?!ToMavenLocal)\w*|uploadArchives|closeAndRelease\w*|bintrayUpload|release)(?= |$)/,
  sbt: /(^| )\+?(publish|publishSigned|release|sonatype\w*|ci-release)(?= |$)/,
  mill: /publish/,
  nuget: /^(push|delete)\b/,
  pod: /^(trunk (push|delete|deprecate|add-owner|remove-owner)|repo push)\b/,
  vsce: /^(publish|unpublish)\b/,
  ovsx: /^publish\b/,
  mix: /^hex\.(publish|retire|owner)/,
  rebar3: /^hex publish/,
  cabal: /^upload\b/,
  stack: /^upload\b/,
  dart: /^pub (publish|lish|uploader)\b/,
  flutter: /^pub publish\b/,
  luarocks: /^upload\b/,
  opam: /^publish\b/,
  conan: /^(upload|remove)\b/,
  anaconda: /^(upload|remove)\b/,
  snapcraft: /^(upload|push|release|close)\b/,
  goreleaser: /^(release\b|$)/,
  'web-ext': /^sign\b/,
  lein: /^(deploy|release)\b/,
  fastlane: /\b(deliver|release|beta|deploy|pilot|supply|upload\w*|submit\w*|produce|match nuke)\b/,
  jsr: /^publish\b/,
  deno: /^(publish|deploy)\b/,
  'wasm-pack': /^publish\b/,
  lerna: /^(publish|version)\b/,
  changeset: /^publish\b/,
  nx: /^release\b/,
  np: /^/,
  'semantic-release': /^/,
  'release-it': /^/,
  auto: /^(shipit|release|canary)\b/,
  'gh-pages': /^(?!clean)/,
  mkdocs: /^gh-deploy\b/,
  mike: /^(deploy|delete|set-default)\b/,
  ng: /^deploy\b/,
  surge: /^(?!list|login|logout|whoami|help)/,
  expo: /^(publish|upload)\b/,
  hf: /^(upload|repo (delete|create)|repos? delete|upload-large-folder)/,
  'huggingface-cli': /^(upload|repo (delete|create)|delete-cache)/,
  clojure: /\bdeploy\b/,
  bazel: /^run \S*(push|publish|deploy|release|upload)\b/,
  bazelisk: /^run \S*(push|publish|deploy|release|upload)\b/,
  dotnet: /^nuget (push|delete)\b/,
  rake: /^release\b/,
  swift: /^package-registry publish\b/,
  'release-please': /^(release-pr|github-release|manifest-\w+)/,
  elm: /^publish\b/,
  raco: /^pkg catalog-(archive|copy)/,
  'electron-builder': /^(publish|.*)$/,
  'sentry-cli': /^(releases? (delete|finalize)|sourcemaps upload|deploys? new)/,
}
const aliases: Readonly<Record<string, string>> = { gradlew: 'gradle', mvnw: 'mvn', bazelisk: 'bazel' }
const onlyWith: Readonly<Record<string, (call: Call) => boolean>> = {
  cargo: call =>
    (!/^owner\b/.test(said(call)) || call.has('--add', '--remove', '-a', '-r')) &&
    (!/^(release|smart-release)\b/.test(said(call)) || call.has('--execute', '-x')),
  gem: call => !/^owner\b/.test(said(call)) || call.has('--add', '--remove', '-a', '-r'),
  'setup.py': () => true,
  lerna: call => !(call.isSub('version') && call.has('--no-push')),
  goreleaser: call =>
    !call.has('--snapshot') && !/publish/.test(call.value('--skip')?.value ?? '') && !call.has('-h', '-v'),
  'electron-builder': call => /^(always|onTag\w*)$/.test(call.value('-p', '--publish')?.value ?? ''),
  fastlane: call => !/^(lanes|list|docs|actions|action|env)\b/.test(said(call)),
  mike: call => call.has('--push', '-p') || !call.isSub('deploy'),
  auto: call => call.operands.length > 0,
  'gh-pages': call => call.has('-d', '--dist'),
  surge: call => !call.has('-h') || call.operands.length > 0,
}

const trials: Readonly<Record<string, readonly string[]>> = {
  cargo: ['-n'],
  gradle: ['-m'],
  np: ['--preview'],
  'semantic-release': ['-d'],
  'release-it': ['--release-version', '--changelog'],
  nx: ['-d'],
  sbt: ['-h'],
}

function publishes(call: Call): boolean {
  const name = aliases[call.program] ?? call.program
  if (call.has(...(trials[name] ?? []))) return false
  return (publishers[name]?.test(said(call)) ?? false) && (onlyWith[name]?.(call) ?? true)
}

export const publishingRules: readonly Rule[] = [
  {
    id: 'packages/npm-publish',
    program: npms,
    when: call => /^(publish|unpublish|pub)\b/.test(npmWords(call)) && !/^run\b/.test(said(call)),
    severity: 'critical',
    reason: 'publishes a version, which cannot be taken back, or takes one away from all who use it',
    safer: 'npm publish --dry-run',
    match: [
      'npm publish',
      'npm -w a publish --access public',
      'npm unpublish x --force',
      'yarn npm publish',
      'pnpm -r publish',
      'npm publish --dry-run=false',
    ],
    notMatch: [
      'npm publish --dry-run',
      'npm run test:publish',
      'npm pack',
      'npm help publish',
      'npm search publish',
      'npm install publish',
    ],
  },
  {
    id: 'packages/npm-rights',
    program: npms,
    when: call => {
      const text = npmWords(call)
      if (/^(deprecate|undeprecate)\b/.test(text)) return true
      if (/^(dist-tags?|tag) (add|rm|remove|set)\b/.test(text)) return true
      if (/^(owner|author) (add|rm|remove)\b/.test(text)) return true
      if (/^access (?!list|ls|get)\w/.test(text)) return true
      if (/^(team|org) (create|destroy|add|rm|set)\b/.test(text)) return true
      if (/^token (create|revoke|delete|rm|remove)\b/.test(text)) return true
      return /^(profile (set|enable-2fa|disable-2fa)|hook (add|rm|update))\b/.test(text)
    },
    severity: 'high',
    reason: 'changes what others get from the registry, or who may publish there',
    match: [
      'npm dist-tag add x@1 latest',
      'npm owner rm a x',
      'npm deprecate x old',
      'npm token revoke a',
      'npm access public x',
    ],
    notMatch: ['npm dist-tag ls x', 'npm owner ls x', 'npm token list', 'npm access list packages', 'npm profile get'],
  },
  {
    id: 'packages/publish',
    program: [...Object.keys(publishers), ...Object.keys(aliases).filter(name => !Object.hasOwn(publishers, name))],
    when: publishes,
    severity: 'critical',
    reason: 'publishes a version, or takes one away: others have it from then on',
    safer: 'cargo publish --dry-run',
    match: [
      'cargo publish',
      'cargo +nightly publish',
      'cargo yank --version 1.0.0 x',
      'gem push x.gem',
      'python -m twine upload dist/*',
      'poetry publish --build',
      './gradlew :core:publish',
      'mvn clean deploy',
      'npx semantic-release',
      'npx @vscode/vsce publish',
      'goreleaser release --clean',
    ],
    notMatch: [
      'cargo publish --dry-run',
      'cargo owner --list x',
      'twine check dist/*',
      './gradlew publishToMavenLocal',
      'mvn clean install',
      'dotnet publish -c Release',
      'npx semantic-release --dry-run',
      'goreleaser release --snapshot',
      'gem build x.gemspec',
    ],
  },
  {
    id: 'packages/release',
    program: ['gh', 'glab', 'hub'],
    sub: ['release create', 'release upload', 'release edit'],
    severity: 'high',
    reason: 'publishes a release, or changes one that is out',
    safer: 'gh release list',
    match: ['gh release create v1', 'gh release upload v1 f --clobber'],
    notMatch: ['gh release list', 'gh release view v1', 'gh pr create --title "release create"'],
  },
]

const npm = {
  values: list(
    '--registry --prefix -w --workspace --userconfig --cache --loglevel --tag --access --otp --location -C --dir -F --filter --cwd --new-version --omit --include',
  ),
}
export const publishingGrammar = {
  ...Object.fromEntries(npms.map(name => [name, npm])),
  cargo: {
    values: list(
      '--manifest-path --target-dir --config -Z --color -p --package --registry --index --token --features -F --git --branch --tag --rev --path --root --vers',
    ),
    sub: { yank: ['--version'], install: ['--version'] },
  },
  gem: { values: list('-v -k --key --host -p') },
  mvn: { values: list('-f --file -P --activate-profiles -pl --projects -s --settings -t -l'), words: true },
  mvnw: { values: list('-f --file -P -pl -s'), words: true },
  gradle: { values: list('-p --project-dir -b -c -I -g -x --exclude-task --tests') },
  gradlew: { values: list('-p --project-dir -b -c -I -g -x --exclude-task --tests') },
  clojure: { words: true },
  goreleaser: { values: list('-f --config --skip --parallelism -p --timeout') },
  twine: { values: list('-r --repository --repository-url -u --username -p --password --config-file') },
}
