/** The secret travels in the fragment, which browsers send to no server. */
export function signInUrl(url: string, secret: string): string {
  return `${url}/#signin=${secret}`
}
