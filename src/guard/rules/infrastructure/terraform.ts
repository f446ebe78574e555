import type { ProgramCall } from '../../program-call.ts'
import { list } from '../../word-list.ts'
import { firstWords } from '../first-words.ts'
import type { GuardRule } from '../rule.ts'

export const terraforms = ['terraform', 'tofu', 'terragrunt', 'cdktf', 'terramate', 'tf']

/** The command without the words that terragrunt puts before it. */
function command(call: ProgramCall): string {
  return call.has('-help', '-h') ? '' : firstWords(call).replace(/^(run-all|run|stack run|hcl) /, '')
}

export const terraformRules: readonly GuardRule[] = [
  {
    id: 'infrastructure/destroy',
    program: terraforms,
    when: call =>
      /^(destroy|destroy-all|workspace delete)\b/.test(command(call)) ||
      (/^apply\b/.test(command(call)) && call.has('-destroy', '--destroy')),
    severity: 'critical',
    reason: 'destroys running infrastructure and its data',
    safer: 'terraform plan -destroy',
    rewrite: { replace: { destroy: 'plan -destroy', apply: 'plan', '-auto-approve': '', '--auto-approve': '' } },
    match: [
      'terraform destroy',
      'terraform -chdir=prod destroy -auto-approve',
      'terraform apply -destroy',
      'terragrunt run-all destroy',
      'tofu destroy',
      'yes | terraform destroy',
    ],
    notMatch: ['terraform plan -destroy', 'terraform plan', 'terraform destroy -help', 'terraform workspace list'],
  },
  {
    id: 'infrastructure/apply',
    program: terraforms,
    when: call => /^(apply|apply-all|deploy|refresh|import|up)\b/.test(command(call)),
    severity: 'high',
    reason: 'creates, changes or replaces running infrastructure',
    safer: 'terraform plan',
    rewrite: [
      { words: /^apply \S/, replace: { apply: 'show', '-auto-approve': '', '--auto-approve': '' } },
      { replace: { apply: 'plan', '-auto-approve': '', '--auto-approve': '' } },
    ],
    match: [
      'terraform apply',
      'TF_VAR_a=b terraform apply -auto-approve',
      'terragrunt apply-all',
      'cdktf deploy',
      'terraform import a b',
    ],
    notMatch: [
      'terraform plan -out=p',
      'terraform init',
      'terraform validate',
      'terraform fmt',
      'terraform output',
      'terraform show p',
    ],
  },
  {
    id: 'infrastructure/state',
    program: terraforms,
    when: call =>
      /^(state (rm|mv|push|replace-provider)|taint|untaint|force-unlock)\b/.test(command(call)) ||
      (/^init\b/.test(command(call)) && call.has('-migrate-state', '-force-copy')),
    severity: 'high',
    reason: "changes Terraform's state, so that it may recreate or abandon resources",
    safer: 'terraform state list',
    match: ['terraform state rm a.b', 'terraform force-unlock 1', 'terraform taint a.b', 'tofu state push x'],
    notMatch: ['terraform state list', 'terraform state show a.b', 'terraform init -upgrade', 'terraform state pull'],
  },
  {
    id: 'infrastructure/pulumi',
    program: 'pulumi',
    words:
      /^(up|update|destroy|down|dn|cancel|refresh|import|watch|stack (rm|import|rename)|state (delete|rename|unprotect|edit|move|repair|taint)|deployment run|org|env (rm|set|edit))\b/,
    none: ['--preview-only', '--expect-no-changes'],
    severity: 'critical',
    reason: 'changes or destroys running infrastructure',
    safer: 'pulumi preview',
    rewrite: [
      {
        sub: ['up', 'update'],
        replace: { up: 'preview', update: 'preview', '-y': '', '--yes': '', '--skip-preview': '' },
      },
      { sub: ['destroy', 'refresh'], append: '--preview-only' },
    ],
    match: ['pulumi up -y', 'pulumi -C infra destroy --yes', 'pulumi stack rm prod', 'pulumi refresh -y'],
    notMatch: ['pulumi preview', 'pulumi stack ls', 'pulumi config set a b', 'pulumi stack output'],
  },
  {
    id: 'infrastructure/cloud-kits',
    program: list(
      'cdk aws-cdk serverless sls sst serverless-framework claudia arc begin zappa up apex architect winglang wing nitric encore',
    ),
    none: ['-h'],
    oneOf: [
      {
        words:
          /^(deploy|destroy|remove|rm|bootstrap|rollback|import|undeploy|update|down|secret set|param set|s3 remove|deploy:?\w*|gc|migrate)\b/,
      },
      { program: ['serverless', 'sls', 'serverless-framework'], words: /^invoke\b/, notWords: /^invoke local\b/ },
    ],
    severity: 'high',
    reason: 'deploys to a cloud account, or removes a deployment',
    safer: 'cdk diff',
    match: [
      'cdk deploy --all',
      'npx aws-cdk destroy',
      'sls remove --stage prod',
      'serverless deploy',
      'sst deploy --stage production',
    ],
    notMatch: ['cdk synth', 'cdk diff', 'sls offline', 'sls invoke local -f a', 'sst dev', 'cdk deploy --help'],
  },
]
