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

/** A browser in words by which its owner recognises it. Null for an unknown browser. */
export function deviceOf(userAgent: string | undefined): string | null {
  const find = (names: readonly (readonly [string, RegExp])[]) => names.find(([, mark]) => mark.test(agent))?.[0]
  // Other browsers also claim to be Chrome or Safari, so those come last.
  const agent = (userAgent ?? '').slice(0, 500)
  const browser = find(browsers)
  if (!browser) return null
  const system = find(systems)
  return system ? `${browser} on ${system}` : browser
}
