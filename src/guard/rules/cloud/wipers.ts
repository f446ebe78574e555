import { list } from '../../word-list.ts'
import type { Grammars, GuardRule } from '../rule.ts'

// They only list what they would delete until this option is given.
const asking = list('aws-nuke gcp-nuke azure-nuke saas-nuke github-nuke gitlab-nuke do-nuke cloudflare-nuke awsnuke')
// They delete unless they are told not to.
const eager = list(
  'cloud-nuke awsweeper awsrm s3wipe s3-nuke s3nukem s3-bucket-nuke gcp-sweeper azsweeper leaf-nuke cloudsweeper',
)

/** Programs that delete everything in an account. */
export const wiperRules: readonly GuardRule[] = [
  {
    id: 'cloud/wipe-account',
    program: [...asking, ...eager, 'custodian', 'c7n'],
    none: ['-h', '-v'],
    oneOf: [
      { program: asking, any: ['--no-dry-run'], unless: { option: { '--no-dry-run': /^false$/ } } },
      { program: eager, notWords: /^((inspect|list|generate)(-\w+)?|version|help|config|select|resource-types)( |$)/ },
      { program: ['custodian', 'c7n'], sub: 'run', none: ['-d', '--dryrun'] },
    ],
    severity: 'critical',
    reason: 'deletes everything in a cloud account that its settings do not spare',
    match: [
      'aws-nuke run -c nuke.yml --no-dry-run',
      'aws-nuke -c nuke.yml --no-dry-run --force',
      'cloud-nuke aws --region us-east-1',
      'cloud-nuke defaults-aws',
      'gcp-nuke run --config c.yml --no-dry-run',
      'azure-nuke run --config c.yml --no-dry-run=true',
      'awsweeper --force config.yml',
      'custodian run -s out policy.yml',
    ],
    notMatch: [
      'aws-nuke run -c nuke.yml',
      'aws-nuke resource-types',
      'aws-nuke run -c nuke.yml --force',
      'cloud-nuke aws --dry-run',
      'cloud-nuke inspect-aws',
      'custodian run --dryrun -s out policy.yml',
      'custodian validate policy.yml',
    ],
  },
]

export const wiperGrammar: Grammars = Object.fromEntries(
  [...asking, ...eager].map(name => [
    name,
    { values: list('-c --config --profile --region --target --exclude --resource-type --older-than') },
  ]),
)
