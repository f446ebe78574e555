import type { ProgramCall } from '../../program-call.ts'
import { firstWords } from '../first-words.ts'

// What publishing is called in other package managers and release tools.
export const publishers: Readonly<Record<string, RegExp>> = {
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
export const aliases: Readonly<Record<string, string>> = { gradlew: 'gradle', mvnw: 'mvn', bazelisk: 'bazel' }
const extraConditions: Readonly<Record<string, (call: ProgramCall) => boolean>> = {
  cargo: call =>
    (!/^owner\b/.test(firstWords(call)) || call.has('--add', '--remove', '-a', '-r')) &&
    (!/^(release|smart-release)\b/.test(firstWords(call)) || call.has('--execute', '-x')),
  gem: call => !/^owner\b/.test(firstWords(call)) || call.has('--add', '--remove', '-a', '-r'),
  'setup.py': () => true,
  lerna: call => !(call.isSub('version') && call.has('--no-push')),
  goreleaser: call =>
    !call.has('--snapshot') && !/publish/.test(call.value('--skip')?.value ?? '') && !call.has('-h', '-v'),
  'electron-builder': call => /^(always|onTag\w*)$/.test(call.value('-p', '--publish')?.value ?? ''),
  fastlane: call => !/^(lanes|list|docs|actions|action|env)\b/.test(firstWords(call)),
  mike: call => call.has('--push', '-p') || !call.isSub('deploy'),
  auto: call => call.operands.length > 0,
  'gh-pages': call => call.has('-d', '--dist'),
  surge: call => !call.has('-h') || call.operands.length > 0,
}

const dryRunFlags: Readonly<Record<string, readonly string[]>> = {
  cargo: ['-n'],
  gradle: ['-m'],
  np: ['--preview'],
  'semantic-release': ['-d'],
  'release-it': ['--release-version', '--changelog'],
  nx: ['-d'],
  sbt: ['-h'],
}

export function publishes(call: ProgramCall): boolean {
  const name = aliases[call.program] ?? call.program
  if (call.has(...(dryRunFlags[name] ?? []))) return false
  return (publishers[name]?.test(firstWords(call)) ?? false) && (extraConditions[name]?.(call) ?? true)
}
