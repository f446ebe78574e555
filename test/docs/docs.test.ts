import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { serveHub } from '../clients/served-hub.ts'
import { allBlocks, type Block, blocksOf, root } from './blocks.ts'
import { checkJson, checkJsonc, checkPython, checkYaml } from './check-data.ts'
import { checkShell } from './check-shell.ts'
import { checkTypeScript } from './check-typescript.ts'
import { newPlace, prepareStage, runBlock, type Stage, screenOf, stepsOf } from './run-block.ts'

const blocks = allBlocks()
const checked = blocks.filter(({ unchecked }) => unchecked === null)

const known = ['sh', 'crontab', 'ts', 'js', 'json', 'jsonc', 'yaml', 'python']

function isUnmarked({ language, unchecked }: Block): boolean {
  return unchecked === null && !known.includes(language)
}

/** A real block with one mistake in it. */
function withMistake(file: string, language: string, right: string, wrong: string): Block {
  const block = blocks.find(
    one => one.at.startsWith(`${file}:`) && one.language === language && one.text.includes(right),
  )
  if (!block) throw new Error(`${file} has no ${right}`)
  return { ...block, text: block.text.replace(right, wrong) }
}

function inLanguages(...languages: string[]): Block[] {
  return checked.filter(({ language }) => languages.includes(language))
}

describe('every block of the pages is checked', () => {
  it('or says why it is not', () => {
    expect(blocks.filter(isUnmarked).map(({ at, language }) => `${at} ${language}`)).toEqual([])
  })

  it('its commands, flags and calls exist', async () => {
    const problems: string[] = []
    for (const block of inLanguages('sh', 'crontab', 'yaml'))
      for (const script of scriptsOf(block))
        problems.push(...(await checkShell(script)).map(problem => `${block.at} ${problem}`))
    expect(problems).toEqual([])
  })

  it('its JSON and YAML can be read', () => {
    const problems = [
      ...inLanguages('json').flatMap(({ at, text }) => checkJson(text).map(problem => `${at} ${problem}`)),
      ...inLanguages('jsonc').flatMap(({ at, text }) => checkJsonc(text).map(problem => `${at} ${problem}`)),
      ...inLanguages('yaml').flatMap(({ at, text }) => checkYaml(text).map(problem => `${at} ${problem}`)),
    ]
    expect(problems).toEqual([])
  })

  it('its Python compiles', async () => {
    const python = inLanguages('python')
    const problems = await checkPython(python)
    expect(problems.flatMap((found, n) => found.map(problem => `${python[n]?.at} ${problem}`))).toEqual([])
  })

  it('its TypeScript has no errors, and a broken copy has', async () => {
    const typescript = inLanguages('ts', 'js')
    const broken = [
      withMistake('README.md', 'ts', 'hub.ask(', 'hub.aks('),
      withMistake('README.md', 'ts', 'options:', 'option:'),
      withMistake('docs/agent.md', 'ts', "'beckon/agent'", "'beckon/agents'"),
      withMistake('docs/ask-back.md', 'ts', 'onMessage:', 'onMessages:'),
    ]
    // One run of the compiler for all of them.
    const problems = await checkTypeScript([...typescript, ...broken])
    const found = problems.slice(0, typescript.length)
    expect(found.flatMap((one, n) => one.map(problem => `${typescript[n]?.at} ${problem}`))).toEqual([])
    for (const [n, { at }] of broken.entries())
      expect([at, problems[typescript.length + n]?.length]).not.toEqual([at, 0])
  })
})

describe('a mistake in a block is found', () => {
  it.each([
    ['README.md', 'npx beckon ask', 'npx beckon aks'],
    ['README.md', '--option no', '--optoin no'],
    ['README.md', '--description "To call', '--describe "To call'],
    ['docs/scripts.md', '--on-timeout fail', '--on-timeout explode'],
    ['docs/scripts.md', 'esac', 'easc'],
    ['docs/http.md', '/api/requests ', '/api/request '],
    ['docs/http.md', '"questions":', '"question":'],
    ['docs/http.md', '?wait=30', '?waits=30'],
    ['docs/http.md', '-X PUT $URL/api/requests/$ID/answer', '-X POST $URL/api/requests/$ID/answer'],
    ['CONTRIBUTING.md', 'npm run check', 'npm run checks'],
  ])('in the shell code of %s: %s is %s', async (file, right, wrong) => {
    expect(await checkShell(withMistake(file, 'sh', right, wrong).text)).not.toEqual([])
  })

  it('in JSON, YAML and Python', async () => {
    expect(checkJson(withMistake('docs/command-line.md', 'json', '"pending",', '"pending"').text)).not.toEqual([])
    expect(checkYaml(withMistake('docs/ci.md', 'yaml', 'steps:', 'steps: [').text)).not.toEqual([])
    expect(await checkPython([withMistake('docs/python.md', 'python', 'if outcome', 'if if outcome')])).not.toEqual([
      [],
    ])
  })

  it('in a block in a language that nothing checks', () => {
    const page =
      'Text\n```rust\nfn main() {}\n```\n<!-- unchecked: shown for comparison -->\n```rust\nfn main() {}\n```\n'
    expect(
      blocksOf(page, 'page.md')
        .filter(isUnmarked)
        .map(({ at }) => at),
    ).toEqual(['page.md:2'])
  })
})

describe('a block that is marked so is run, with a person who answers', () => {
  let stage: Stage
  beforeAll(async () => {
    stage = await prepareStage(await serveHub())
  })
  afterAll(async () => {
    await stage.served.close()
    rmSync(join(root, 'dist/.docs'), { recursive: true, force: true })
  })

  it.for(checked.filter(({ runs }) => runs.length > 0).map(block => [block.at, block] as const))(
    '%s',
    async ([, block], { signal }) => {
      const place = await newPlace(stage)
      for (const settings of block.runs) {
        const { prints, says, matches, transcript, exit = 0 } = settings
        const result = await runBlock(stage, place, block, settings, signal)
        expect({ ...result, settings }, result.stderr).toMatchObject({
          code: exit,
          ...(prints === undefined ? {} : { stdout: prints }),
        })
        if (says !== undefined) expect(result.stderr).toContain(says)
        if (matches !== undefined) expect(result.stdout).toMatch(new RegExp(matches, 'm'))
        if (transcript) expect(result.stdout).toMatch(screenOf(block))
      }
    },
  )

  it('and one that does something else is noticed', async ({ signal }) => {
    const block = withMistake('README.md', 'sh', '--option no', '--option no --no-human fail')
    const [first] = block.runs
    const result = await runBlock(stage, await newPlace(stage), block, first ?? {}, signal)
    expect(result.stdout).not.toBe(first?.prints)
    const transcript = withMistake('docs/guard.md', 'sh', 'ask (high)', 'ask (low)')
    const screen = await runBlock(stage, await newPlace(stage), transcript, { transcript: true }, signal)
    expect(screen.stdout).not.toMatch(screenOf(transcript))
  })
})

/** The shell code in a block. */
function scriptsOf({ language, text }: Block): string[] {
  if (language === 'sh') return [text]
  if (language === 'yaml') return checkYaml(text).length > 0 ? [] : stepsOf(text)
  return text.split('\n').flatMap(line => /^(?:\S+ ){5}(.*)$/.exec(line)?.[1] ?? [])
}
