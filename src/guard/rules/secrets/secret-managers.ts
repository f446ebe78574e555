import type { GuardRule } from '../rule.ts'

const reason = 'reads a stored secret, and the model sees it'

const credentialHelpers = [
  'git-credential-store',
  'git-credential-osxkeychain',
  'git-credential-manager',
  'git-credential-cache',
  'docker-credential-osxkeychain',
  'docker-credential-secretservice',
  'docker-credential-desktop',
  'docker-credential-pass',
]

/** Reading secrets from where they are stored. */
export const secretManagerRules: readonly GuardRule[] = [
  {
    id: 'secrets/gpg-export',
    program: ['gpg', 'gpg2'],
    any: ['--export-secret-keys', '--export-secret-key', '--export-secret-subkeys', '--export-ssh-secret-key'],
    severity: 'high',
    reason: 'exports private keys',
    match: ['gpg -a --export-secret-keys me', 'gpg --export-secret-subkeys X > k'],
    notMatch: ['gpg --export me', 'gpg --list-secret-keys'],
  },
  {
    id: 'secrets/instance-metadata',
    program: ['curl', 'wget', 'http', 'https', 'xh', 'aria2c', 'curlie'],
    operandMatches:
      /^(https?:\/\/)?(169\.254\.169\.254|169\.254\.170\.2|\[?fd00:ec2::254\]?|metadata(\.google\.internal|\.azure\.com)?|100\.100\.100\.200)(:80)?\/.*(credential|token|identity|user-?data|service-accounts|attestation|ram\/)/i,
    severity: 'high',
    reason: 'reads the keys that the cloud gives this machine, and the model sees them',
    match: [
      'curl -s http://169.254.169.254/latest/meta-data/iam/security-credentials/role',
      'curl -X PUT http://169.254.169.254/latest/api/token -H "X-aws-ec2-metadata-token-ttl-seconds: 60"',
      'wget -qO- http://169.254.169.254/latest/user-data',
      'curl -H "Metadata-Flavor: Google" http://metadata.google.internal/computeMetadata/v1/instance/service-accounts/default/token',
      "curl -H Metadata:true 'http://169.254.169.254/metadata/identity/oauth2/token?resource=x'",
    ],
    notMatch: [
      'curl -s http://169.254.169.254/latest/meta-data/instance-id',
      'curl http://169.254.169.254/latest/meta-data/placement/region',
      'curl http://localhost:3000/token',
    ],
  },
  {
    id: 'secrets/keychain',
    program: 'security',
    sub: ['find-generic-password', 'find-internet-password', 'dump-keychain', 'export', 'unlock-keychain'],
    severity: 'high',
    reason,
    match: ['security find-generic-password -s x -w', 'security dump-keychain -d login.keychain'],
    notMatch: ['security find-identity -v', 'security list-keychains'],
  },
  {
    id: 'secrets/git-credential',
    program: ['git', ...credentialHelpers],
    oneOf: [
      { program: 'git', words: /^credential(-[\w-]+)? (fill|get)( |$)/ },
      { program: credentialHelpers, sub: 'get' },
    ],
    severity: 'high',
    reason,
    match: ['git credential fill', 'git credential-store get', 'git credential-osxkeychain get'],
    notMatch: ['git config credential.helper', 'git credential approve'],
  },
  {
    id: 'secrets/cloud-token',
    program: ['gcloud', 'az', 'aws', 'gh', 'npm', 'databricks', 'oc'],
    when: call => {
      const { program, operands } = call
      const words = operands.map(({ value }) => value).join(' ')
      const patterns: Record<string, RegExp> = {
        gcloud: /^(beta |alpha )?auth( application-default)? print-(access|identity)-token/,
        az: /^account get-access-token/,
        aws: /^configure (get \S*(secret|session_token|access_key)|export-credentials)|^sts get-session-token|^ecr get-login-password$/,
        gh: /^auth status/,
        npm: /^(token create$|config get \S*(_auth|token))/i,
        oc: /^whoami$/,
        databricks: /^auth token/,
      }
      if (!call.frame.shown) return false
      if (['gh', 'oc'].includes(program) && !call.has('-t', '--show-token')) return false
      return patterns[program]?.test(words) ?? false
    },
    none: ['--password-stdin'],
    severity: 'medium',
    reason,
    match: ['gcloud auth print-access-token', 'az account get-access-token', 'aws configure get aws_secret_access_key'],
    notMatch: ['gcloud auth list', 'aws configure get region', 'npm whoami', 'az account show'],
  },
  {
    id: 'secrets/cloud-secret',
    program: ['gcloud', 'az', 'aws', 'kubectl', 'oc', 'docker', 'heroku', 'fly', 'flyctl', 'railway'],
    when: call => {
      const words = call.operands.map(({ value }) => value).join(' ')
      switch (call.program) {
        case 'gcloud':
          return /^(beta |alpha )?secrets versions access/.test(words)
        case 'az':
          return /^keyvault (secret|key) (show|download|backup)/.test(words)
        case 'aws':
          return (
            /^secretsmanager (batch-)?get-secret-value/.test(words) ||
            (/^ssm get-parameters?(-by-path)?/.test(words) && call.has('--with-decryption'))
          )
        case 'kubectl':
        case 'oc':
          return (
            (/^config view/.test(words) && call.has('--raw')) ||
            (/^get secrets?(\/\S*)?\b/.test(words) &&
              /json|yaml|template/.test(call.value('-o', '--output')?.value ?? outputOption(call.args)))
          )
        case 'heroku':
          return /^config( |$)/.test(words) || /^config:get \S*(KEY|SECRET|TOKEN|PASS|URL|DSN)/i.test(words)
        case 'railway':
          return /^variables/.test(words)
        case 'docker':
          return /^secret inspect/.test(words)
        default:
          return false
      }
    },
    severity: 'medium',
    reason,
    match: [
      'aws secretsmanager get-secret-value --secret-id prod/db',
      'kubectl get secret db -o yaml',
      'gcloud secrets versions access latest --secret=db',
      'heroku config -a app',
    ],
    notMatch: [
      'kubectl get secrets',
      'aws secretsmanager list-secrets',
      'gcloud secrets list',
      'kubectl get pods -o yaml',
    ],
  },
  {
    id: 'secrets/vault',
    program: [
      'vault',
      'op',
      'bw',
      'pass',
      'gopass',
      'lpass',
      'secret-tool',
      'keyring',
      'doppler',
      'sops',
      'ansible-vault',
      'infisical',
      'chamber',
      'keepassxc-cli',
      'dashlane',
      'rbw',
    ],
    when: call => {
      const words = call.operands.map(({ value }) => value).join(' ')
      switch (call.program) {
        case 'vault':
          return /^(read|kv get|token (lookup|create)|print token)/.test(words)
        case 'op':
          return /^(read|item get|document get|inject)/.test(words)
        case 'bw':
          return /^(get|export)/.test(words)
        case 'pass':
        case 'gopass':
          return (
            words !== '' &&
            !/^(ls|list|find|search|init|insert|add|generate|edit|git|help|version|mv|cp|grep|sync|clone|config|recipients( show| ls)?$|otp$)/.test(
              words,
            )
          )
        case 'lpass':
          return /^(show|export)/.test(words)
        case 'secret-tool':
          return /^(lookup|search)/.test(words)
        case 'keyring':
          return /^get/.test(words)
        case 'doppler':
          return /^secrets( get| download|$)/.test(words)
        case 'infisical':
          return /^(secrets|export)/.test(words)
        case 'chamber':
          return /^(read|export)/.test(words)
        case 'sops':
          return call.has('-d', '--decrypt') || /^decrypt/.test(words)
        case 'ansible-vault':
          return /^(view|decrypt)/.test(words)
        case 'keepassxc-cli':
          return /^(show|export|clip)/.test(words)
        case 'rbw':
          return /^(get|code)/.test(words)
        default:
          return false
      }
    },
    severity: 'medium',
    reason,
    match: ['vault kv get secret/prod', 'op read op://v/i/p', 'pass show email', 'sops -d x.yaml', 'bw get password x'],
    notMatch: [
      'vault status',
      'op run -- npm start',
      'pass ls',
      'sops -e x.yaml',
      'doppler run -- npm start',
      'pass git pull',
    ],
  },
]

/** The value of `-oyaml` or `-ojsonpath=…`, if the grammar does not know -o. */
function outputOption(args: readonly { value: string }[]): string {
  const at = args.findIndex(({ value }) => /^(-o|--output)/.test(value))
  return at < 0 ? '' : `${args[at]?.value ?? ''} ${args[at + 1]?.value ?? ''}`
}
