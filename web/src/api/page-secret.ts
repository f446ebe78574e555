// The browser sends the cookie to every server on this host, whatever the port. This second secret is stored for this
// origin alone and goes with every call: one without the other opens nothing.
const storageKey = 'beckon.page'

export function keepPage(secret: string): void {
  localStorage.setItem(storageKey, secret)
}

export function forgetPage(): void {
  localStorage.removeItem(storageKey)
}

export function pageHeader(): Record<string, string> {
  const secret = localStorage.getItem(storageKey)
  return secret === null ? {} : { 'beckon-page': secret }
}
