export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json }

/** JSON with one spelling for one value (RFC 8785): names sorted by their UTF-16 units, no spaces. */
export function canonicalJson(value: Json): string {
  if (value === null || typeof value !== 'object') return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  const fields = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return `{${fields.map(([name, one]) => `${JSON.stringify(name)}:${canonicalJson(one)}`).join(',')}}`
}
