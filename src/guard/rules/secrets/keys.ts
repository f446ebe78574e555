import type { Argument } from '../../interpret/arguments.ts'
import { origins } from '../../interpret/arguments.ts'
import type { ProgramCall } from '../../program-call.ts'
import { list } from '../../word-list.ts'
import type { GuardRule } from '../rule.ts'
import { keyStoreAmong, secretAmong, stdinFile, wordAfter } from './secret-operands.ts'

/** Private keys: deleted, replaced, taken out of their stores, or put where other programs read them. */
export const keyRules: readonly GuardRule[] = [
  {
    id: 'secrets/key-deleted',
    program: list('gpg gpg2 keytool security certutil ykman certbot tpm2_clear'),
    when: deletesKey,
    severity: 'critical',
    reason: 'deletes private keys, and what only they can open is lost',
    match: [
      'gpg --batch --yes --delete-secret-keys 0xABCD',
      'gpg --delete-secret-and-public-key me@example.com',
      'keytool -delete -alias release -keystore upload.jks',
      'security delete-identity -c "Developer ID"',
      'ykman piv reset -f',
    ],
    notMatch: ['gpg --list-secret-keys', 'gpg --delete-keys someone', 'keytool -list -keystore a.jks', 'ykman info'],
  },
  {
    id: 'secrets/key-replaced',
    program: 'ssh-keygen',
    none: ['-l', '-y', '-R', '-F', '-H', '-e', '-i', '-A'],
    when: call => {
      const file = call.value('-f')
      if (file && ['workspace', 'build', 'tmp'].includes(call.pathClass(file))) return false
      return call.has('-p', '-c') || (file !== null && call.stdin.text !== '')
    },
    severity: 'high',
    reason: 'overwrites a private key or changes its passphrase',
    match: [
      "yes | ssh-keygen -t ed25519 -N '' -f ~/.ssh/id_ed25519",
      'ssh-keygen -p -P "$OLD" -N "" -f ~/.ssh/id_rsa',
      'ssh-keygen -t rsa -f ~/.ssh/id_rsa <<< y',
    ],
    notMatch: [
      'ssh-keygen -t ed25519 -f ~/.ssh/id_new -N ""',
      'ssh-keygen -lf ~/.ssh/id_ed25519.pub',
      'yes | ssh-keygen -t ed25519 -f ./test_key -N ""',
      'ssh-keygen -R example.com',
    ],
  },
  {
    id: 'secrets/key-exported',
    program: ['openssl', 'keytool', 'step', 'wg'],
    when: exportsKey,
    severity: 'high',
    reason: 'exports private keys',
    match: [
      'openssl pkcs12 -in ~/certs/client.p12 -nocerts -nodes -out /tmp/client.key',
      'sudo openssl rsa -in /etc/ssl/private/server.key -text',
      'openssl pkey -in ~/.ssh/deploy.pem',
      'openssl base64 -in ~/.ssh/id_rsa',
      'keytool -importkeystore -srckeystore ~/release.jks -destkeystore out.p12 -deststoretype PKCS12',
      'wg showconf wg0',
    ],
    notMatch: [
      'openssl rsa -in key.pem -check -noout',
      'openssl rsa -in server.key -pubout',
      'openssl x509 -in server.crt -noout -text',
      'openssl pkcs12 -in client.p12 -nokeys',
      'openssl rsa -in dev.key -out dev-plain.key',
      'openssl genrsa -out test.key 2048',
      'keytool -list -keystore a.jks',
      'wg show',
    ],
  },
  {
    id: 'secrets/key-readable',
    program: ['chmod', 'setfacl'],
    when: call => {
      const opens = call.args.some(({ value }) =>
        /^0?[0-7]?[0-7]([4-7][0-7]|[0-7][4-7])$|^[ugo]*[goa][ugoa]*[+=][wxXs]*r|^[+=]r|^([gou]|group|other|user):[^:]*:[-wx]*r/.test(
          value,
        ),
      )
      const files = call.operands.filter(({ value }) => !value.endsWith('authorized_keys'))
      return opens && (keyStoreAmong(files, call) ?? false)
    },
    severity: 'high',
    reason: 'lets other users of this machine read keys or passwords',
    match: ['chmod 644 ~/.ssh/id_rsa', 'chmod 755 ~/.ssh', 'chmod -R go+r ~/.gnupg', 'setfacl -m g:users:rwx ~/.ssh'],
    notMatch: [
      'chmod 600 ~/.ssh/id_rsa',
      'chmod 700 ~/.ssh',
      'chmod 644 ~/.ssh/id_rsa.pub',
      'chmod 644 .env',
      'chmod go-r ~/.netrc',
    ],
  },
  {
    id: 'secrets/clipboard',
    program: list('xclip xsel wl-copy pbcopy clip clip.exe set-clipboard termux-clipboard-set'),
    when: call => secretAmong(call.operands, call) ?? Boolean(call.stdin.from & origins.secret),
    severity: 'medium',
    reason: 'puts keys or passwords on the clipboard, where every program can read them',
    match: ['xclip -selection clipboard < ~/.ssh/id_ed25519', 'cat ~/.ssh/id_rsa | pbcopy', 'wl-copy < .env'],
    notMatch: ['pbcopy < ~/.ssh/id_ed25519.pub', 'git diff | xclip', 'echo "$HOME" | pbcopy'],
  },
  {
    id: 'secrets/shown-by-editor',
    program: list('vi vim nvim view ex ed emacs gvim'),
    when: call => {
      const isScripted =
        call.args.some(({ value }) => /^(-[a-z]*[es][a-z]*|-c|\+.+|--cmd|--batch|--headless)$/.test(value)) ||
        call.stdin.text !== ''
      return call.frame.shown && isScripted && (keyStoreAmong([...call.operands, ...stdinFile(call)], call) ?? false)
    },
    severity: 'medium',
    reason: 'prints keys or passwords, and the model sees them',
    match: ["vim -es -c '%print' -c 'q!' ~/.ssh/deploy_key", "ed -s ~/.netrc <<< ',p'"],
    notMatch: ["vim -es -c '%print' -c 'q!' README.md", 'vim .env', 'nvim ~/.ssh/config'],
  },
]

function deletesKey(call: ProgramCall): boolean {
  const words = call.args.map(({ value }) => value)
  switch (call.program) {
    case 'gpg':
    case 'gpg2':
      return words.some(word => /^--delete-secret-(and-public-)?keys?$/.test(word))
    case 'keytool':
      return words.includes('-delete')
    case 'security':
      return /^delete-(generic-password|internet-password|certificate|identity)$/.test(words[0] ?? '')
    case 'certutil':
      return words.includes('-D') || words.includes('-F')
    case 'ykman':
      return words.includes('reset')
    case 'certbot':
      return /^(delete|revoke)$/.test(words[0] ?? '')
    default:
      return true
  }
}

function exportsKey(call: ProgramCall): boolean | Argument {
  const [first] = call.args
  if (call.program === 'wg')
    return first?.value === 'showconf' || call.args.some(({ value }) => value === 'private-key')
  if (call.program === 'step') return call.isSub('crypto key format') && call.frame.shown
  if (call.program === 'keytool') return first?.value === '-importkeystore'
  const has = (...names: string[]) => call.args.some(({ value }) => names.includes(value))
  if (!/^(rsa|pkey|ec|dsa|pkcs8|pkcs12|enc|base64)$/.test(first?.value ?? '') || has('-pubout', '-pubin', '-nokeys'))
    return false
  const files = [wordAfter(call, '-in', '-inkey') ?? [], stdinFile(call)].flat()
  const prints = wordAfter(call, '-out') === undefined && call.frame.shown && (!has('-noout') || has('-text'))
  return (prints ? secretAmong(files, call) : has('-noout') ? undefined : keyStoreAmong(files, call)) ?? false
}
