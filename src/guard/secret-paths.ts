/** Whether a file holds keys, tokens or passwords. Programs may use them; sending or printing them is a leak. */
export function isSecretPath(path: string): boolean {
  return path.length < mostCharacters && secretFiles.test(path) && !sampleFiles.test(path)
}

/** No system allows longer paths. */
const mostCharacters = 4_096

const secretFiles = new RegExp(
  [
    String.raw`(^|/)\.ssh(/(?!known_hosts|config$|.*\.pub$)|$)`,
    '(^|/)id_(rsa|dsa|ecdsa|ed25519)$',
    String.raw`(^|/)\.env(\.[\w-]+)?$`,
    String.raw`(^|/)\.aws(/|$)`,
    String.raw`(^|/)\.config/(gcloud|gh|hub|op)(/|$)`,
    String.raw`(^|/)\.(kube|azure|gnupg|password-store)(/|$)`,
    String.raw`(^|/)\.docker/config\.json$`,
    String.raw`(^|/)\.(netrc|pgpass|my\.cnf|npmrc|pypirc|git-credentials|vault-token|htpasswd)$`,
    String.raw`(^|/)(shadow|gshadow|master\.passwd|sudoers)$`,
    String.raw`\.(pem|key|p12|pfx|jks|keystore|kdbx|ppk)$`,
    String.raw`(^|/)(secrets?|credentials?|service[-_]account[\w-]*|kubeconfig)(\.(json|ya?ml|txt|env|toml|ini))?$`,
    String.raw`(^|/)(Login Data|Cookies|key4\.db|logins\.json|wallet\.dat)$`,
    String.raw`(^|/)\.(bash|zsh|sh|python|psql|mysql|node_repl)_history$`,
    String.raw`(^|/)(Keychains|\.mozilla|\.electrum|\.bitcoin)(/|$)`,
    '^/proc/[^/]+/environ$',
    '^/(var/)?run/secrets(/|$)',
  ].join('|'),
)
const sampleFiles =
  /\.(example|sample|template|dist|test|md|pub|enc)$|(^|\/)(ca|cert|public|fullchain|chain)[\w-]*\.(pem|crt|key)$/
