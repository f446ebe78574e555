import { expect, it } from 'vitest'
import { blocksOf, pages, pageText } from './blocks.ts'
import { headingsOf, linksOf } from './links.ts'

const languages = ['ko', 'zh']
const originals = ['README.md', 'docs/quickstart.md']
const translations = originals.flatMap(original =>
  languages.map(language => ({ original, translation: original.replace('.md', `.${language}.md`) })),
)

it('each of them is in every language', () => {
  expect(pages.filter(page => /\.(ko|zh)\.md$/.test(page))).toEqual(
    translations.map(({ translation }) => translation).sort(),
  )
})

it.each(translations)('$translation has the headings, code and links of $original', ({ original, translation }) => {
  expect(missing(pageText(original), pageText(translation), original, translation)).toEqual([])
})

it('notices what a translation lacks', () => {
  const page = '# One\n\n## Two\n\n```sh\nbeckon ask "Ship it?" --wait 5m   # asks\n```\n\n[faq](faq.md)\n'
  const lacks = (translated: string) => missing(page, translated, 'docs/page.md', 'docs/page.ko.md')
  expect(lacks(page.replace('Ship it?', '배포할까요?').replace('# asks', '# 묻습니다').replace('Two', '둘'))).toEqual(
    [],
  )
  expect(lacks(page.replace('## Two\n', ''))).toEqual(['1 headings of 2'])
  expect(lacks(page.replace('## Two', '### Two'))).toEqual(['heading 2 is of level 3, not 2: Two'])
  expect(lacks(page.replace('--wait 5m', '--wait 15m'))).toEqual(['this code differs: beckon ask "" --wait 5m'])
  expect(lacks(page.replace(/```[\s\S]*```/, ''))).toEqual(['this code is missing: beckon ask "" --wait 5m'])
  expect(lacks(page.replace('faq.md', 'web.md'))).toEqual(['no link to docs/faq.md'])
})

/** What the translation of a page lacks. */
function missing(original: string, translation: string, file: string, translatedFile: string): string[] {
  return [
    ...missingHeadings(original, translation),
    ...missingCode(original, translation),
    ...missingLinks(file, original, translatedFile, translation),
  ]
}

function missingHeadings(original: string, translation: string): string[] {
  const [theirs, ours] = [headingsOf(original), headingsOf(translation)]
  if (theirs.length !== ours.length) return [`${ours.length} headings of ${theirs.length}`]
  return ours.flatMap(({ level, text }, n) =>
    level === theirs[n]?.level ? [] : [`heading ${n + 1} is of level ${level}, not ${theirs[n]?.level}: ${text}`],
  )
}

function missingCode(original: string, translation: string): string[] {
  const [theirs, ours] = [original, translation].map(page =>
    blocksOf(page, 'page').map(({ language, text }) => ({ language, code: withoutHumanText(text) })),
  )
  return (theirs ?? []).flatMap(({ language, code }, n) => {
    const found = ours?.[n]
    if (found === undefined) return [`this code is missing: ${code}`]
    return found.language === language && found.code === code ? [] : [`this code differs: ${code}`]
  })
}

/** Comments and quoted texts may be in another language; commands, flags and values may not. */
function withoutHumanText(code: string): string {
  return code
    .split('\n')
    .map(line =>
      line
        .replaceAll(/"[^"]*"|'[^']*'/g, quoted => (quoted.includes('$(') ? quoted : `"${variablesIn(quoted)}"`))
        .replace(/(^|\s)(#|\/\/) .*$/, '')
        .trimEnd(),
    )
    .join('\n')
}

function variablesIn(text: string): string {
  return [...text.matchAll(/\$\{?[#?\w]+\}?/g)].join(' ')
}

function missingLinks(file: string, original: string, translatedFile: string, translation: string): string[] {
  const isTranslation = (path: string) => /\.(ko|zh)\.md$/.test(path)
  const reached = linksOf(translatedFile, translation).map(({ to }) => to.replace(/\.(ko|zh)\.md$/, '.md'))
  return linksOf(file, original)
    .map(({ to }) => to)
    .filter((to, n, all) => !isTranslation(to) && all.indexOf(to) === n && !reached.includes(to))
    .map(to => `no link to ${to}`)
}
