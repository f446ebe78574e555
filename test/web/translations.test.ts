import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { classify } from '../../src/guard/classify.ts'
import { domains } from '../../src/guard/rules/index.ts'
import { texts as koreanTexts } from '../../web/src/words/hub-texts/ko.ts'
import { translateHubText, translateReason, translateReview } from '../../web/src/words/hub-texts/translate-hub-text.ts'
import { texts as chineseTexts } from '../../web/src/words/hub-texts/zh.ts'
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

describe('the translations of what the hub says', () => {
  const languages = [koreanTexts, chineseTexts]

  it('lack no message of the guard', () => {
    const messages = [
      ...domains.flatMap(({ rules }) => rules.map(({ reason }) => reason)),
      ...textsAfter(
        'guard',
        /message(?:: |:? =)|messageOf\(|template = |errors: \[|new (?:LimitExceeded|TooManyWords)\(/g,
      ),
      ...textsAfter('approval/judge-action.ts', /message: strict\.note \?\? /g),
      ...sqlObjects(),
    ]
    expect(messages.length).toBeGreaterThan(230)
    for (const known of languages) expect(messages.filter(text => translateHubText(known, text) === null)).toEqual([])
  })

  it('lack no advice of the guard that is not a command', () => {
    const advice = [...textsAfter('guard/interpret', /safer: /g), ...textsAfter('guard/classify.ts', /safer: /g)]
    expect(advice.length).toBeGreaterThan(4)
    for (const known of languages) expect(advice.filter(text => translateHubText(known, text) === null)).toEqual([])
  })

  it('lack nothing that an approval does not cover, and no line of a review', () => {
    const unbound = [
      ...textsAfter('approval/facts', /(?:entences\.add|unbound)\(/g),
      ...textsAfter('approval/take-facts.ts', /entences\.add\(/g),
    ]
    expect(unbound.length).toBeGreaterThan(25)
    const lines = textsAfter('supervisor/checkpoint/review.ts', /named\(\n? *(?=')/g).map(title => `${title}:`)
    expect(lines.length).toBe(4)
    for (const known of languages)
      expect([...unbound, ...lines].filter(text => translateHubText(known, text) === null)).toEqual([])
  })

  it('keep every value in its place', () => {
    expect(Object.keys(chineseTexts)).toEqual(Object.keys(koreanTexts))
    const placeholders = (text: string) => (text.match(/\{\w+\}/g) ?? []).sort()
    for (const known of languages)
      for (const [phrase, text] of Object.entries(known))
        expect(placeholders(text), phrase).toEqual(placeholders(phrase))
    expect(translateHubText(koreanTexts, 'drops a table')).toBe('테이블을(를) 삭제합니다.')
    expect(translateHubText(koreanTexts, 'drops everything')).toBeNull()
    expect(translateHubText(chineseTexts, 'is too complex to analyze: it nests too deeply')).toBe(
      '过于复杂，无法分析：嵌套过深',
    )
    expect(translateHubText(koreanTexts, 'a line 2.sh line 12 drops a table')).toBe(
      'a line 2.sh 12행: 테이블을(를) 삭제합니다.',
    )
    expect(translateHubText(chineseTexts, 'The line 5 drops out of sight')).toBeNull()
    expect(translateHubText(chineseTexts, 'npm ci runs the install scripts of packages, which are not bound.')).toBe(
      'npm ci 运行软件包的安装脚本，它们不在批准范围内。',
    )
  })

  it('go by the template and its values where a reason has them, and by the text in older requests', () => {
    const library = '/tmp/a table'
    const { reasons } = classify(`LD_PRELOAD="${library}" ls; python3 -c 'db.execute("DROP VIEW x")'`)
    const said = reasons.map(reason => translateReason(koreanTexts, reason))
    expect(said).toEqual(['무엇이든 할 수 있는 /tmp/a table을(를) 프로그램에 불러옵니다.', '뷰을(를) 삭제합니다.'])
    const older = reasons.map(({ message }) => ({ message }))
    expect(older.map(reason => translateReason(koreanTexts, reason))).toEqual(said)
    const unknown = { message: 'drops a table', template: 'a sentence of a later version', params: {} }
    expect(translateReason(chineseTexts, unknown)).toBe(translateHubText(chineseTexts, 'drops a table'))
  })

  it('touch no code and no line of the agent in a review', () => {
    const translate = (text: string) => translateHubText(koreanTexts, text)
    const review =
      'Named but missing:\n\n- `x.ts`\n\n```diff\n+Named but missing:\n```\n\nI did it.\nNamed but missing:'
    expect(translateReview(translate, review)).toBe(
      '언급되었지만 없는 파일:\n\n- `x.ts`\n\n```diff\n+Named but missing:\n```\n\nI did it.\n언급되었지만 없는 파일:',
    )
  })
})

/** The string literals that follow such a piece of source text, up to the end of their expression. */
function textsAfter(path: string, start: RegExp): string[] {
  const root = join(web, '../../src', path)
  const files = path.endsWith('.ts') ? [''] : readdirSync(root, { recursive: true, encoding: 'utf8' })
  return files
    .filter(name => path.endsWith('.ts') || name.endsWith('.ts'))
    .flatMap(name => {
      const source = readFileSync(join(root, name), 'utf8').replaceAll(/^ *(?:\*|\/[*/]).*$/gm, '')
      return [...source.matchAll(start)].flatMap(({ 0: { length }, index }) => textsOf(source.slice(index + length)))
    })
}

/** Of an expression: strings that are not compared with something, with `x` for what is computed. */
function textsOf(expression: string): string[] {
  const [one = ''] = expression.split(/,\n|[,\]] *[a-z]+:|\)\n|\n *\}|\]|\n +(?:this|analysis|const|return)\b/)
  const literal = /`((?:\$\{(?:[^{}`]|`[^`]*`)*\}|[^`$])*)`|'([^'\n]*)'|"([^"\n]*)"/g
  return [...one.matchAll(literal)]
    .map(
      ([, template, single, double]) =>
        single ?? double ?? (template ?? '').replaceAll(/\$\{(?:[^{}`]|`[^`]*`)*\}/g, 'x'),
    )
    .filter(text => /[a-z]{2,} /.test(text))
}

function sqlObjects(): string[] {
  const source = readFileSync(join(web, '../../src/guard/languages/sql-dangers.ts'), 'utf8')
  const [, words = ''] = /const kinds = new Set\(\s*list\(\s*'([^']+)'/.exec(source) ?? []
  const kinds = [...words.toLowerCase().split(' '), 'part']
  return kinds.map(kind => `drops ${/^[aeio]/.test(kind) ? 'an' : 'a'} ${kind}`)
}

describe('the built page', () => {
  it('loads less than 130 kB of compressed code before the first paint', () => {
    const html = readFileSync(join(built, 'index.html'), 'utf8')
    const files = [...html.matchAll(/(?:src|href)="\/(assets\/[^"]+\.(?:js|css))"/g)].flatMap(([, file]) => file ?? [])
    expect(files.length).toBeGreaterThan(1)
    const bytes = files.reduce((sum, file) => sum + brotliCompressSync(readFileSync(join(built, file))).length, 0)
    expect(bytes).toBeLessThan(130_000)
  })

  it('has no inline script or style, which its content security policy would refuse', () => {
    const html = readFileSync(join(built, 'index.html'), 'utf8')
    expect(html).not.toMatch(/<style|<script>|\sstyle=|\son\w+=/)
  })
})
