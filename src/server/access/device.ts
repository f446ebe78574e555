const browsers = [
  ['Edge', /\bEdg(A|iOS)?\//],
  ['Opera', /\bOPR\//],
  ['Samsung Internet', /\bSamsungBrowser\//],
  ['Firefox', /\b(Firefox|FxiOS)\//],
  ['Chrome', /\b(Headless)?(Chrome|CriOS)\//],
  ['Safari', /\bSafari\//],
] as const

const systems = [
  ['Android', /\bAndroid\b/],
  ['iPhone', /\biPhone\b/],
  ['iPad', /\biPad\b/],
  ['ChromeOS', /\bCrOS\b/],
  ['Windows', /\bWindows\b/],
  ['macOS', /\bMac OS X\b/],
  ['Linux', /\bLinux\b/],
] as const

/** What a browser calls itself, in words that tell a person which of theirs it is. Null for what is no known browser. */
export function deviceOf(userAgent: string | undefined): string | null {
  const find = (names: readonly (readonly [string, RegExp])[]) => names.find(([, mark]) => mark.test(said))?.[0]
  // Others pretend to be it, so the real one comes after them; nobody's name is longer than this.
  const said = (userAgent ?? '').slice(0, 500)
  const browser = find(browsers)
  if (!browser) return null
  const system = find(systems)
  return system ? `${browser} on ${system}` : browser
}
