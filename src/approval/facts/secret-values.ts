/** Whether a variable is a secret: by its name, or because its value is one. Secrets are never stored or shown. */
export function isSecretVariable(name: string, value: string): boolean {
  if (value === '') return false
  // A name such as GOOGLE_APPLICATION_CREDENTIALS or SSL_KEY usually holds a path.
  if (secretNames.test(name) && !/^(\/|~|\.{1,2}\/)/.test(value)) return true
  return looksSecret(value) || namedPassword.test(value) || looksRandom(value)
}

/** Whether a text contains a key, a token or a password that can be recognized. */
export function looksSecret(text: string): boolean {
  return secretTexts.test(text)
}

const secretNames =
  /(TOKEN|SECRET|PASSWORD|PASSWD|PASSPHRASE|APIKEY|SECRETS)$|(^|[_-])(KEY|PASS|PWD|PAT|AUTH|CREDENTIALS?|COOKIE|DSN)$|SECRET_|PRIVATE_KEY/i

const secretTexts = new RegExp(
  [
    '-----BEGIN [A-Z ]{0,20}PRIVATE KEY',
    // https://user:password@host
    String.raw`\b[a-z][a-z0-9+.-]{0,20}://[^\s/:@]{0,200}:[^\s/@]{1,500}@`,
    String.raw`\b(bearer|basic|token)\s+[\w+/.=~-]{12,}`,
    String.raw`\b(gh[pousr]_\w{20,}|github_pat_\w{20,}|glpat-[\w-]{16,}|sk-[\w-]{16,}|sk_live_\w{16,}|xox[abeprs]-[\w-]{10,})`,
    String.raw`\b(AIza[\w-]{30,}|npm_\w{30,}|hvs\.[\w-]{20,}|dop_v1_\w{30,}|eyJ[\w-]{10,500}\.[\w-]{10,})`,
  ].join('|'),
  'i',
)

// In a settings string: host=db password=….
const namedPassword = /\b(password|passwd|pwd|secret|api_?key|access_?token|auth_?token)\s*[=:]\s*\S/i

/** A long word of letters and digits in no order. */
function looksRandom(value: string): boolean {
  return (
    /^[\w+=-][\w+/=-]{31,}$/.test(value) &&
    /\d/.test(value) &&
    /[a-z]/i.test(value) &&
    !/[/_-][a-z]{3,}[/_-]/.test(value)
  )
}
