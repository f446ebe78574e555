import { existsSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { pageText, root } from './blocks.ts'

/** A relative link or picture of a page. */
export interface Link {
  /** The file or folder that it leads to, from the root of the repository. */
  to: string
  anchor: string | null
}

/** Every link and picture that leads to a file of the repository, or to a heading of the page itself. */
export function linksOf(file: string, text = pageText(file)): Link[] {
  const prose = withoutCode(text)
  const targets = [
    ...prose.matchAll(/\]\(([^)\s]+)\)/g),
    ...prose.matchAll(/^\[[^\]]+\]: (\S+)$/gm),
    ...prose.matchAll(/\b(?:src|srcset|href)="([^"]+)"/g),
  ].map(([, target = '']) => target)
  return targets.filter(target => !/^[a-z]+:/.test(target)).map(target => linkFrom(file, target))
}

function linkFrom(file: string, target: string): Link {
  const [path = '', anchor = null] = target.split('#')
  return { to: path === '' ? file : normalize(join(dirname(file), path)), anchor }
}

/** What is wrong with a link: its file or its heading does not exist. */
export function problemOf({ to, anchor }: Link): string | null {
  if (!existsSync(join(root, to))) return `${to} does not exist`
  if (anchor === null || !to.endsWith('.md')) return null
  return anchorsOf(pageText(to)).includes(anchor) ? null : `${to} has no heading #${anchor}`
}

export interface Heading {
  level: number
  text: string
}

export function headingsOf(text: string): Heading[] {
  const lines = withoutBlocks(text).matchAll(/^(#+) (.+)$/gm)
  return [...lines].map(([, marks = '', heading = '']) => ({ level: marks.length, text: heading }))
}

/** As GitHub makes them: lower case, without punctuation, spaces as dashes; a second one of the same text gets a number. */
function anchorsOf(text: string): string[] {
  const seen = new Map<string, number>()
  return headingsOf(text).map(heading => {
    const plain = heading.text.replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, '$1').toLowerCase()
    const anchor = plain.replaceAll(/[^\p{L}\p{N}\p{M}_ -]/gu, '').replaceAll(' ', '-')
    const count = seen.get(anchor) ?? 0
    seen.set(anchor, count + 1)
    return count === 0 ? anchor : `${anchor}-${count}`
  })
}

function withoutCode(text: string): string {
  return withoutBlocks(text).replaceAll(/(`+)(?!`)[\s\S]*?[^`]\1(?!`)/g, code => (code.includes('](') ? '' : code))
}

function withoutBlocks(text: string): string {
  return text.replaceAll(/^( *)(`{3,}).*\n[\s\S]*?^ *\2 *$/gm, '')
}
