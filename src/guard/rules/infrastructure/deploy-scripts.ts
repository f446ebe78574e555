import { list } from '../../word-list.ts'
import type { GuardRule } from '../rule.ts'

// The guard does not see inside such a script, but its name says that it reaches beyond the workspace. `make release` often
// only builds, so `release` does not count for make.
const namePart = (words: string) => new RegExp(`(^|[-_:./])(${words})(?=$|[-_:./])`, 'i')
const deployWords = namePart('deploy|undeploy|destroy|teardown|publish|rollback|promote|rollout')
const releaseWords = namePart('release|semantic-release')
const harmlessWords = namePart(
  'dry|dryrun|check|preview|local|test|tests|notes|plan|build|docs|lint|dev|validate|diff|help|status|logs|config',
)

function nameMeansDeploy(name: string, alsoRelease: boolean): boolean {
  return (deployWords.test(name) || (alsoRelease && releaseWords.test(name))) && !harmlessWords.test(name)
}

const scriptNames = ['deploy', 'undeploy', 'destroy', 'teardown', 'publish', 'rollback', 'release'].flatMap(name =>
  ['', '.sh', '.bash', '.py', '.js', '.mjs', '.ts', '.rb'].map(end => name + end),
)

export const deployRules: readonly GuardRule[] = [
  {
    id: 'infrastructure/deploy-script',
    program: list('npm yarn pnpm bun make gmake just task rake invoke mage nx turbo rush deno composer'),
    none: ['-n', '--just-print', '--recon', '--list', '-l', '--summary'],
    when: call => {
      const words = call.operands.filter(({ value }) => !value.includes('='))
      const [first, second, third] = words
      const isMake = /^(g?make|just|task|rake|invoke|mage)$/.test(call.program)
      if (isMake) return words.find(({ value }) => nameMeansDeploy(value, false)) ?? false
      const isRun = /^(run|run-script|rum|urn|task)$/.test(first?.value ?? '')
      const name = isRun ? second : first?.value === 'workspace' ? third : call.program === 'yarn' ? first : undefined
      if (!name || name.value === 'publish') return isRun && name ? name : false
      return nameMeansDeploy(name.value, true) ? name : false
    },
    severity: 'medium',
    reason: 'runs a script whose name says that it deploys, publishes or tears down',
    safer: 'make -n deploy',
    rewrite: { program: ['make', 'gmake'], add: '-n' },
    match: [
      'make deploy',
      'make -C infra destroy',
      'npm run deploy:prod',
      'yarn deploy',
      'pnpm run release',
      'just deploy',
    ],
    notMatch: [
      'make',
      'make release',
      'make -n deploy',
      'npm run build',
      'npm run deploy:dry-run',
      'npm run predeploy-check',
      'make test',
      'make release-notes',
      'pnpm deploy out',
    ],
  },
  {
    id: 'infrastructure/deploy-file',
    program: scriptNames,
    none: ['-n', '--check', '--plan', '--diff', '-h'],
    // `--network localhost` deploys to a local test chain.
    notWords: /^(help|status|plan|check|diff|logs?)\b/,
    unless: { argMatches: /^(localhost|hardhat|anvil|local)$/ },
    severity: 'medium',
    reason: 'runs a script whose name says that it deploys, publishes or tears down',
    safer: 'cat deploy.sh',
    match: ['./deploy.sh production', 'bash scripts/deploy.sh prod', 'python scripts/destroy.py', './bin/deploy'],
    notMatch: [
      'cat deploy.sh',
      './deploy.sh --dry-run',
      'bash -n deploy.sh',
      'shellcheck deploy.sh',
      'chmod +x deploy.sh',
      'scp deploy.sh host:',
    ],
  },
]
