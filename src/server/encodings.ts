/** How we compress what we send. */
export type Encoding = 'br' | 'gzip'

/** The best encoding that the caller accepts; null for none. `q=0` refuses one. */
export function acceptedEncoding(header: string | undefined): Encoding | null {
  const accepted = new Set<string>()
  for (const part of (header ?? '').split(',')) {
    const [name = '', ...parameters] = part.split(';').map(text => text.trim().toLowerCase())
    if (!parameters.some(parameter => /^q=0(\.0*)?$/.test(parameter))) accepted.add(name)
  }
  return accepted.has('br') ? 'br' : accepted.has('gzip') ? 'gzip' : null
}
