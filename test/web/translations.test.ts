import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { ko } from '../../web/src/words/ko.ts'
import { reasons } from '../../web/src/words/run-reasons.ts'
import { validationMessages } from '../../web/src/words/validation-messages.ts'
import { zh } from '../../web/src/words/zh.ts'

const web = join(import.meta.dirname, '../../web/src')
const built = join(import.meta.dirname, '../../dist/web')

describe('the translations of the page', () => {
  it('have the same placeholders in every language', () => {
    const placeholders = (text: string) => (text.match(/\{\w+\}/g) ?? []).sort()
    for (const words of [ko, zh]) {
      for (const [phrase, text] of Object.entries(words))
        expect(placeholders(text), phrase).toEqual(placeholders(phrase))
    }
  })

  it('cover validation messages and reasons of runs that the hub really sends', () => {
    const hub = join(web, '../../src')
    const all = readdirSync(hub, { recursive: true, encoding: 'utf8' })
      .filter(name => name.endsWith('.ts'))
      .map(name => readFileSync(join(hub, name), 'utf8').replaceAll(/\$\{[^}]+\}/g, '{}'))
      .join('\n')
    const isSent = (phrase: string) => all.includes(phrase.replaceAll(/\{\w+\}/g, '{}'))
    expect(validationMessages.filter(phrase => !isSent(phrase))).toEqual([])
    const fixedParts = reasons.map(phrase => phrase.replace(/(:| —) \{reason\}$/, ''))
    expect(fixedParts.filter(phrase => !isSent(phrase))).toEqual([])
  })

  it('contain no unused phrase', () => {
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
  it('loads less than 150 kB of compressed code before the first paint', () => {
    const html = readFileSync(join(built, 'index.html'), 'utf8')
    const files = [...html.matchAll(/(?:src|href)="\/(assets\/[^"]+\.(?:js|css))"/g)].flatMap(([, file]) => file ?? [])
    expect(files.length).toBeGreaterThan(1)
    const bytes = files.reduce((sum, file) => sum + gzipSync(readFileSync(join(built, file))).length, 0)
    expect(bytes).toBeLessThan(150_000)
  })

  it('has no inline script or style, which its content security policy would refuse', () => {
    const html = readFileSync(join(built, 'index.html'), 'utf8')
    expect(html).not.toMatch(/<style|<script>|\sstyle=|\son\w+=/)
  })
})
