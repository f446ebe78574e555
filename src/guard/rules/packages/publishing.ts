import type { ProgramCall } from '../../program-call.ts'
import { firstWords } from '../first-words.ts'
import type { GuardRule } from '../rule.ts'
import { aliases, publishers, publishes } from './publishers.ts'

export const npms = ['npm', 'pnpm', 'yarn', 'bun', 'cnpm', 'tnpm']

/** The subcommand and its operands, without the words before it: `yarn npm publish`, `pnpm recursive publish`. */
function npmWords(call: ProgramCall): string {
  return firstWords(call).replace(/^(workspaces foreach )?((run )?npm|recursive) /, '')
}

export const publishingRules: readonly GuardRule[] = [
  {
    id: 'packages/npm-publish',
    program: npms,
    when: call => /^(publish|unpublish|pub)\b/.test(npmWords(call)) && !/^run\b/.test(firstWords(call)),
    severity: 'critical',
    reason: 'publishes a version, which cannot be undone, or removes one that others use',
    safer: 'npm publish --dry-run',
    rewrite: { program: ['npm', 'pnpm', 'bun'], append: '--dry-run' },
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
    reason: 'changes what others get from the registry, or who can publish there',
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
    reason: 'publishes a version, which cannot be undone, or removes one that others use',
    safer: 'cargo publish --dry-run',
    rewrite: { program: ['cargo', 'poetry'], words: /\bpublish$/, append: '--dry-run' },
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
    reason: 'publishes a release, or changes a published one',
    safer: 'gh release list',
    match: ['gh release create v1', 'gh release upload v1 f --clobber'],
    notMatch: ['gh release list', 'gh release view v1', 'gh pr create --title "release create"'],
  },
]
