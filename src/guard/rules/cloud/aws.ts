import type { ProgramCall } from '../../program-call.ts'
import { isLocalAddress } from '../first-words.ts'
import type { GuardRule } from '../rule.ts'

/** The service and the operation; both empty if nothing changes, as in `aws ec2 terminate-instances help`. */
function operation(call: ProgramCall): { service: string; verb: string } {
  const [service = '', verb = '', third = ''] = call.operands.map(({ value }) => value)
  const explains = service === 'help' || verb === 'help' || third === 'help' || call.has('--generate-cli-skeleton')
  const isLocal = isLocalAddress(call.value('--endpoint-url')?.value ?? call.env('AWS_ENDPOINT_URL'))
  return explains || isLocal || call.has('--dryrun') || verb === '' ? { service: '', verb: '' } : { service, verb }
}

const readOnly =
  /^(describe|list|get|head|batch-get|search|lookup|filter|query|scan|select|estimate|simulate|validate|preview|test|check|detect|wait|tail|ls|decode|verify|view|receive-message|discover|forecast|compare|count|classify|is|can|start-query|stop-query|start-session|start-live-tail|update-kubeconfig|presign)(-|$)/
const ownServices = /^(s3|configure|sso|sts|help|login|logout|history)$/
const destroys =
  /^(delete|terminate|remove|deregister|purge|release|destroy|batch-delete|schedule-key-deletion|disable|reset|revoke|leave|close|cancel|stop|abort|empty|drop|expire|detach|disassociate|force)(-|$)/
const grantsAccess =
  /^(authorize-|put-.*(policy|acl)|attach-.*policy|add-permission|create-(access-key|login-profile|service-specific)|add-user-to-group|update-assume-role|modify-.*attribute|delete-public-access-block|put-public-access-block|create-policy-version|set-.*policy|add-role)/

export const awsRules: readonly GuardRule[] = [
  {
    id: 'cloud/aws-delete',
    program: 'aws',
    when: call => {
      const { service, verb } = operation(call)
      return !ownServices.test(service) && destroys.test(verb) && !readOnly.test(verb)
    },
    severity: 'critical',
    reason: 'deletes, terminates or disables something in AWS',
    safer: 'aws ec2 terminate-instances --dry-run --instance-ids i-1',
    rewrite: { words: /^ec2 /, append: '--dry-run' },
    match: [
      'aws ec2 terminate-instances --instance-ids i-1',
      'aws --profile prod --region x rds delete-db-instance --db-instance-identifier a --skip-final-snapshot',
      'aws s3api delete-bucket --bucket b',
      'aws kms schedule-key-deletion --key-id k',
      'aws sqs purge-queue --queue-url u',
    ],
    notMatch: [
      'aws ec2 describe-instances',
      'aws ec2 terminate-instances --dry-run --instance-ids i-1',
      'aws ec2 terminate-instances help',
      'aws --endpoint-url http://localhost:4566 dynamodb delete-table --table-name t',
      'awslocal s3 rb s3://x',
    ],
  },
  {
    id: 'cloud/aws-access',
    program: 'aws',
    when: call => grantsAccess.test(operation(call).verb),
    severity: 'critical',
    reason: 'changes who can do what in AWS, or creates access keys',
    match: [
      'aws iam create-access-key --user-name u',
      'aws iam attach-user-policy --user-name u --policy-arn a',
      'aws ec2 authorize-security-group-ingress --group-id g --cidr 0.0.0.0/0',
    ],
    notMatch: ['aws iam list-users', 'aws s3api get-bucket-policy --bucket b'],
  },
  {
    id: 'cloud/aws-change',
    program: 'aws',
    when: call => {
      const { service, verb } = operation(call)
      return verb !== '' && !ownServices.test(service) && !readOnly.test(verb)
    },
    severity: 'medium',
    reason: 'changes, starts or sends something in AWS, which can affect others and cost money',
    match: [
      'aws ec2 run-instances --image-id a',
      'aws lambda update-function-code --function-name f',
      'aws sns publish',
    ],
    notMatch: [
      'aws logs tail g --follow',
      'aws sts get-caller-identity',
      'aws configure list',
      'aws eks update-kubeconfig',
    ],
  },
  {
    id: 'cloud/aws-secret',
    program: 'aws',
    when: call => {
      const { service, verb } = operation(call)
      if (service === 'configure')
        return verb === 'export-credentials' || /secret|session_token/.test(call.operands[2]?.value ?? '')
      return (
        /^(batch-)?get-secret-value$|^get-password-data$|^get-random-password$/.test(verb) ||
        (/^get-parameter/.test(verb) && call.has('--with-decryption'))
      )
    },
    severity: 'high',
    reason: 'prints a secret',
    match: ['aws secretsmanager get-secret-value --secret-id s', 'aws ssm get-parameter --name n --with-decryption'],
    notMatch: ['aws secretsmanager list-secrets', 'aws ssm get-parameter --name n', 'aws ecr get-login-password'],
  },
  {
    id: 'cloud/aws-s3',
    program: 'aws',
    when: call => {
      const { service, verb } = operation(call)
      if (service !== 's3') return false
      if (/^(rm|rb|mv|mb|website)$/.test(verb)) return true
      return /^(cp|sync)$/.test(verb) && (call.has('--delete') || /^s3:/.test(call.operands[3]?.value ?? ''))
    },
    severity: 'high',
    reason: 'deletes, moves or overwrites objects in S3',
    safer: 'aws s3 sync . s3://bucket --delete --dryrun',
    rewrite: { sub: ['s3 rm', 's3 mv', 's3 cp', 's3 sync'], append: '--dryrun' },
    match: [
      'aws s3 rm s3://b --recursive',
      'aws s3 rb --force s3://b',
      'aws s3 sync . s3://b --delete',
      'aws s3 cp x s3://b/x',
    ],
    notMatch: ['aws s3 ls', 'aws s3 cp s3://b/x .', 'aws s3 sync s3://b ./x', 'aws s3 rm s3://b/x --dryrun'],
  },
]
