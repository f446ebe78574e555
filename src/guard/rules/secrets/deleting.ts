import { list } from '../../word-list.ts'
import { type Deletions, deletes } from '../deletions.ts'
import type { Grammars, GuardRule } from '../rule.ts'

const anywhere = /(^| |[-_:])(delete|remove|rm|destroy|purge|revoke|reset|unset|wipe|archive)( |[-_]|$)/

// What each manager calls deleting a secret, or the place where secrets are kept. `vault` has rules in infrastructure.
const secretDeletions: Deletions = {
  op: {
    sub: /^(item|document|vault|user|group|connect|service-account|account|events-api) (\w+ )?(delete|forget|revoke|suspend|remove|rm)\b/,
  },
  bw: { sub: /^(delete|purge)\b/ },
  bws: { sub: /^(secret|project) delete\b|^delete\b/ },
  lpass: { sub: /^(rm|delete|rmshare|share (rm|userdel))\b/ },
  pass: { sub: /^(rm|remove|delete)\b/ },
  gopass: { sub: /^(rm|remove|delete|recipients (remove|rm)|mounts (remove|rm)|unclip)\b/ },
  'secret-tool': { sub: /^clear\b/ },
  keyring: { sub: /^del/ },
  'kwallet-query': { any: ['-d', '--delete-entry'] },
  doppler: {
    sub: /^(secrets|projects?|environments?|configs?( tokens| logs)?|service-?tokens?|groups?) (delete|revoke|rollback)\b/,
  },
  infisical: { sub: /^(secrets|folders|token|dynamic-secrets) (folders )?(delete|revoke|lease delete)\b/ },
  phase: { sub: /^secrets delete\b/ },
  chamber: { sub: /^delete\b/ },
  credstash: { sub: /^(delete|putall)\b/ },
  berglas: { sub: /^(delete|destroy)\b/ },
  teller: { sub: /^(delete|redact-all)\b/ },
  conjur: { sub: /(^| )(delete|revoke|retire)\b/ },
  akeyless: { sub: /^(delete|revoke)-/ },
  vlt: { sub: /(^| )delete\b/ },
  hcp: { sub: anywhere },
  tss: { sub: /(^| )delete\b/ },
  keeper: { sub: /^(rm|rmdir|delete-\w+)\b/ },
  'keepassxc-cli': { sub: /^(rm|rmdir|merge)\b/ },
  kpcli: { sub: /^(rm|rmdir)\b/ },
  rbw: { sub: /^(remove|rm|purge)\b/ },
  enpasscli: { sub: /^(trash|delete)\b/ },
  dcli: { sub: /(^| )(delete|reset)\b/ },
  'pass-cli': { sub: anywhere },
  'aws-vault': { sub: /^(remove|rm|clear)\b/ },
  envchain: { any: ['--unset'] },
  security: {
    sub: /^delete-(generic-password|internet-password|certificate|identity|key|keychain)\b|^remove-trusted-cert\b/,
  },
  cmdkey: { any: ['/delete'] },
  ykman: { sub: /(^| )(reset|delete|swap)\b/ },
  'pkcs11-tool': { any: ['-b', '--delete-object', '--init-token'] },
  'pkcs15-init': { any: list('-E --erase-card -D --delete-objects') },
  tpm2_clear: {},
  keytool: { any: ['-delete'] },
  // Of NSS and of Windows: deletes a certificate, a key or a store.
  certutil: { any: list('-D -F -delstore -delkey') },
  certbot: { sub: /^(delete|revoke|unregister)\b/ },
  'acme.sh': { any: ['--remove', '--revoke', '--deactivate', '--deactivate-account'] },
  step: { sub: /^ca (revoke|provisioner remove|admin remove)\b/ },
}

/** Deleting secrets and keys where they are stored. */
export const secretDeletingRules: readonly GuardRule[] = [
  {
    id: 'secrets/manager-delete',
    program: Object.keys(secretDeletions),
    when: call => deletes(call, secretDeletions),
    severity: 'critical',
    reason: 'deletes secrets or keys where they are stored',
    match: [
      'doppler secrets delete STRIPE_KEY -p api -c prd --yes',
      'op item delete "AWS root" --vault Infra',
      'bw delete item 7063feab --permanent',
      'secret-tool clear service x',
      'keepassxc-cli rm db.kdbx entry',
      'security delete-generic-password -s x',
      'ykman piv reset -f',
      'keytool -delete -alias x -keystore ks.jks',
    ],
    notMatch: [
      'op item list',
      'op vault list',
      'doppler configs',
      'bw status',
      'pass ls',
      'rbw list',
      'keepassxc-cli ls db.kdbx',
      'keytool -list -keystore ks.jks',
      'ykman info',
      'certbot certificates',
    ],
  },
  {
    id: 'secrets/gpg-delete',
    program: ['gpg', 'gpg2'],
    any: list(
      '--delete-secret-keys --delete-secret-key --delete-secret-and-public-keys --delete-secret-and-public-key --delete-secret-subkeys',
    ),
    severity: 'critical',
    reason: 'deletes private keys',
    safer: 'gpg --list-secret-keys',
    match: ['gpg --batch --yes --delete-secret-keys 0xDEADBEEF', 'gpg --delete-secret-and-public-key me'],
    notMatch: ['gpg --list-secret-keys', 'gpg --delete-keys stranger'],
  },
]

export const secretDeletingGrammar: Grammars = {
  bw: { values: list('--session --organizationid --itemid') },
  bws: { values: list('-t --access-token -c --config-file -p --profile -o --output -u --server-url') },
  infisical: { values: list('--env --path --projectId --token --type --domain') },
  phase: { values: list('--env --app --path') },
  keytool: { words: true, values: list('-alias -keystore -storepass -keypass -file -storetype') },
  certutil: { values: list('-d -n -t -k -f -i -o -a'), slashes: true },
  ykman: { values: list('-d --device -r --reader') },
  'keepassxc-cli': { values: list('-k --key-file -y --yubikey') },
  cmdkey: { slashes: true },
  rbw: { values: ['--folder'] },
  keeper: { values: list('--config --user --password') },
}
