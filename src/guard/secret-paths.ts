/** Whether a file holds keys, tokens or passwords. Programs may use them; sending or printing them is a leak. */
export function isSecretPath(path: string): boolean {
  return path.length < mostCharacters && secretFiles.test(path) && !sampleFiles.test(path)
}

/** No system allows longer paths. */
const mostCharacters = 4_096

/** Folders in which everything counts, and the folders themselves. */
const folders = [
  String.raw`\.(aws|azure|kube|gnupg|password-store|mozilla|thunderbird|electrum|bitcoin|oci|putty|snowflake|snowsql|pki)`,
  String.raw`\.config/(gcloud|gh|hub|op|sops|doctl|hcloud|rclone|heroku|github-copilot|google-chrome|chromium|BraveSoftware|Bitwarden|keepassxc)`,
  String.raw`\.local/share/(keyrings|kwalletd)`,
  'Keychains',
]

/** Whole paths or their ends. */
const files = [
  String.raw`\.ssh(/(?!known_hosts|config$|.*\.pub$).*)?`,
  String.raw`id_(rsa|dsa|ecdsa|ed25519|\*)(_sk)?`,
  String.raw`\.env(\.[\w*-]+){0,2}\*?`,
  String.raw`(prod|production|staging|live|secrets?)\.env`,
  String.raw`\.docker/config\.json`,
  '[._]netrc',
  String.raw`\.(pgpass|my\.cnf|npmrc|pypirc|git-credentials|vault-token|htpasswd|authinfo|dockercfg|boto|s3cfg|msmtprc|fetchmailrc|smbcredentials|databrickscfg|sentryclirc|secrets)`,
  String.raw`\.(cargo|gem)/credentials(\.toml)?`,
  String.raw`\.terraform\.d/credentials\.tfrc\.json`,
  String.raw`\.m2/settings(-security)?\.xml`,
  String.raw`\.gradle/gradle\.properties`,
  String.raw`\.(composer|codex|config/(composer|opencode)|local/share/opencode)/auth\.json`,
  String.raw`\.claude/\.credentials\.json`,
  String.raw`\.gemini/oauth_creds\.json`,
  String.raw`\.kaggle/kaggle\.json`,
  String.raw`\.(cache/)?huggingface/token`,
  String.raw`\.fly/config\.yml`,
  String.raw`\.dbt/profiles\.yml`,
  String.raw`shadow|gshadow|master\.passwd|opasswd|sudoers`,
  String.raw`(secrets?|credentials?|service[-_]account[\w-]*|kubeconfig)(\.(json|ya?ml|txt|env|toml|ini))?`,
  String.raw`Login Data|Cookies|key4\.db|logins\.json|wallet\.dat|secring\.gpg`,
  String.raw`\.(bash|zsh|sh|python|psql|mysql|node_repl|rediscli|sqlite)_history`,
]

const secretFiles = new RegExp(
  [
    `(?:^|/)(?:${folders.join('|')})(?:/|$)`,
    `(?:^|/)(?:${files.join('|')})$`,
    String.raw`\.(pem|key|p12|pfx|jks|keystore|kdbx|ppk|keytab|ovpn)$`,
    '^/proc/[^/]+/environ$',
    '^/(var/)?run/secrets(/|$)',
    '^/etc/(ssl/private|wireguard|openvpn|NetworkManager/system-connections)(/|$)',
    String.raw`^/etc/(kubernetes/admin\.conf|rancher/k3s/k3s\.yaml)$`,
  ].join('|'),
)
const sampleFiles =
  /\.(example|sample|template|dist|test|md|pub|enc)$|(^|\/)(ca|cert|public|fullchain|chain)[\w-]*\.(pem|crt|key)$/
