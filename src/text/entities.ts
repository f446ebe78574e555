// The entities that people and models commonly write. Others are shown as they were written.
const named: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: '\u00a0',
  copy: '©',
  reg: '®',
  trade: '™',
  hellip: '…',
  mdash: '—',
  ndash: '–',
  lsquo: '‘',
  rsquo: '’',
  ldquo: '“',
  rdquo: '”',
  laquo: '«',
  raquo: '»',
  bull: '•',
  middot: '·',
  times: '×',
  deg: '°',
  larr: '←',
  rarr: '→',
}

/** Decodes HTML entities once: `&amp;lt;` becomes `&lt;`. */
export function decodeEntities(text: string): string {
  return text.replaceAll(/&(?:#(\d{1,7})|#[xX]([\da-fA-F]{1,6})|([a-z]{2,6}));/g, (entity, decimal, hex, name) => {
    if (name) return Object.hasOwn(named, name) ? (named[name] ?? entity) : entity
    return character(decimal ? Number.parseInt(decimal, 10) : Number.parseInt(hex, 16))
  })
}

function character(code: number): string {
  const isInvalid = code === 0 || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)
  return isInvalid ? '\ufffd' : String.fromCodePoint(code)
}
