import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { hubWords } from '../../web/src/words/hub-words.ts'
import { ko } from '../../web/src/words/ko.ts'
import { zh } from '../../web/src/words/zh.ts'

const web = join(import.meta.dirname, '../../web/src')
const built = join(import.meta.dirname, '../../dist/web')

describe('the words of the page', () => {
  it('have the same holes in every language', () => {
    const holes = (text: string) => (text.match(/\{\w+\}/g) ?? []).sort()
    for (const words of [ko, zh]) {
      for (const [phrase, text] of Object.entries(words)) expect(holes(text), phrase).toEqual(holes(phrase))
    }
  })

  it('are those of the hub, where it speaks to a person', () => {
    const hub = join(web, '../../src')
    const all = readdirSync(hub, { recursive: true, encoding: 'utf8' })
      .filter(name => name.endsWith('.ts'))
      .map(name => readFileSync(join(hub, name), 'utf8').replaceAll(/\$\{[^}]+\}/g, '{}'))
      .join('\n')
    const said = (phrase: string) => all.includes(phrase.replaceAll(/\{\w+\}/g, '{}'))
    expect(hubWords.filter(phrase => !said(phrase))).toEqual([])
  })

  it('are all used', () => {
    const sources = [
      ...readdirSync(web, { recursive: true, encoding: 'utf8' })
        .filter(name => /\.tsx?$/.test(name) && !/words\/(ko|zh)/.test(name))
        .map(name => readFileSync(join(web, name), 'utf8')),
      readFileSync(join(web, '../../src/form/answer-form.ts'), 'utf8'),
      readFileSync(join(web, '../../src/form/fields.ts'), 'utf8'),
    ]
    const all = sources.join('\n')
    const unused = Object.keys(ko).filter(phrase => !all.includes(`'${phrase}'`) && !all.includes(`"${phrase}"`))
    expect(unused).toEqual([])
  })
})

describe('the built page', () => {
  it('loads less than 150 kB, packed, before the first paint', () => {
    const html = readFileSync(join(built, 'index.html'), 'utf8')
    const files = [...html.matchAll(/(?:src|href)="\/(assets\/[^"]+\.(?:js|css))"/g)].flatMap(([, file]) => file ?? [])
    expect(files.length).toBeGreaterThan(1)
    const bytes = files.reduce((sum, file) => sum + gzipSync(readFileSync(join(built, file))).length, 0)
    expect(bytes).toBeLessThan(150_000)
  })

  it('has no script or style of its own in the page, which its policy would refuse', () => {
    const html = readFileSync(join(built, 'index.html'), 'utf8')
    expect(html).not.toMatch(/<style|<script>|\sstyle=|\son\w+=/)
  })
})
