// The cookie goes to every server on this host, whatever its port. What is kept here is for this origin alone, and goes
// with every call: whoever has only one of the two has nothing.
const place = 'beckon.page'

export function keepPage(secret: string): void {
  localStorage.setItem(place, secret)
}

export function forgetPage(): void {
  localStorage.removeItem(place)
}

export function pageHeader(): Record<string, string> {
  const secret = localStorage.getItem(place)
  return secret === null ? {} : { 'beckon-page': secret }
}
