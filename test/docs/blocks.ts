import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ScriptedCall } from '../adapters/model.ts'

/** A fenced code block of a page. */
export interface Block {
  /** Where it stands: `docs/http.md:8`. */
  at: string
  language: string
  text: string
  /** Why nobody checks it: `<!-- unchecked: REASON -->` on the line before. */
  unchecked: string | null
  /** How it is run, one after the other: `<!-- run: {…} -->`, or a list of them, on the line before. */
  runs: RunSettings[]
}

/** What the world around a block is while it runs, and what must come of it. */
export interface RunSettings {
  /** What a person answers to every question; null: nobody answers. A yes to approvals, unless it is `no`. */
  answer?: string | string[] | null
  /** A person declines everything, for this reason. */
  decline?: string
  /** The value that a person provides. */
  provide?: string
  /** The person answers what is open already, before it runs. */
  first?: true
  /** Shell code before it. */
  setup?: string
  /** What stands in the block, and what is run instead: a test does not wait for minutes. */
  replace?: Record<string, string>
  /** The calls that a model makes, for programs with one. */
  model?: ScriptedCall[]
  /** Over HTTP, with BECKON_URL and BECKON_TOKEN of this scope, instead of in the same home. */
  token?: 'ask' | 'answer'
  /** Lines after `$ ` are what somebody types, and the others what they see then; `…` stands for anything. */
  transcript?: true
  exit?: number
  /** Everything that it prints on stdout. */
  prints?: string
  /** A pattern in what it prints. */
  matches?: string
  /** A part of what it prints on stderr. */
  says?: string
}

export const root = join(import.meta.dirname, '../..')

/** The pages that people read. Translations stand beside them (README.ko.md). */
export const pages = globSync(['README*.md', 'CONTRIBUTING.md', 'SECURITY.md', 'docs/**/*.md'], { cwd: root }).sort()

// Written from the types, which test/typed compares with it.
const generated = 'docs/reference.md'

export function allBlocks(): Block[] {
  return pages.filter(file => file !== generated).flatMap(file => blocksOf(pageText(file), file))
}

export function pageText(file: string): string {
  return readFileSync(join(root, file), 'utf8')
}

/** The blocks of one page; `file` is for messages. */
export function blocksOf(page: string, file: string): Block[] {
  const lines = page.split('\n')
  const blocks: Block[] = []
  for (let at = 0; at < lines.length; at += 1) {
    const [, indent = '', fence = '', info = ''] = /^( *)(`{3,})(.*)$/.exec(lines[at] ?? '') ?? []
    if (!fence) continue
    const end = lines.findIndex((line, n) => n > at && line.trim() === fence)
    if (end < 0) throw new Error(`${file}:${at + 1}: this block does not end`)
    const text = lines
      .slice(at + 1, end)
      .map(line => line.slice(Math.min(indent.length, /^ */.exec(line)?.[0].length ?? 0)))
    blocks.push({
      at: `${file}:${at + 1}`,
      language: info.trim(),
      text: text.join('\n'),
      ...markOf(lines[at - 1] ?? ''),
    })
    at = end
  }
  return blocks
}

function markOf(line: string): Pick<Block, 'unchecked' | 'runs'> {
  const unchecked = /<!-- unchecked: (.{10,}) -->/.exec(line)?.[1] ?? null
  const run = /<!-- run: (.*) -->/.exec(line)?.[1]
  return { unchecked, runs: run === undefined ? [] : ([JSON.parse(run)].flat() as RunSettings[]) }
}
