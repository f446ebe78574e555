import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createSandbox, until } from '../cli/sandbox.ts'
import { terminal } from '../cli/tmux.ts'
import { resultsIn, type Script, startModelServer } from './model-server.ts'

const args = ['agent', '--model', 'anthropic/scripted']

/** The command in a real terminal, with a scripted model. */
async function createModelSandbox(script: Script, more: string[] = args) {
  const sandbox = await createSandbox()
  const server = await startModelServer(script)
  sandbox.atEnd(() => server.close())
  const open = (argv = more) => terminal(sandbox, argv, server.env)
  return { ...sandbox, server, open }
}

const ask = (input: unknown, text = '') => ({ text, calls: [{ id: 'ask_1', name: 'AskUserQuestion', input }] })
const bash = (command: string) => ({ calls: [{ id: 'bash_1', name: 'Bash', input: { command } }] })

describe('the four scenarios of the document, in a real terminal', () => {
  it('1: asks for a free-text answer and uses it', async () => {
    const { server, cwd, open } = await createModelSandbox((_, count) => {
      if (count === 1)
        return ask({ question: '어떤 연산을 지원해야 하나요?' }, '계산기를 만들기 전에 하나만 묻겠습니다.')
      if (count === 2) return { calls: [{ name: 'Write', input: { path: 'calc.py', content: 'OPS = "+-*/"\n' } }] }
      return { text: '**calc.py**를 만들었습니다.' }
    })
    const screen = open()
    await screen.shows('tokens in')
    screen.type('Python으로 간단한 계산기를 만들어줘')
    await screen.shows('어떤 연산을 지원해야 하나요?')
    expect(screen.screen().split('하나만 묻겠습니다')).toHaveLength(2)
    expect(server.log).toHaveLength(1)
    await screen.shows('Enter send')
    screen.type('+, -, *, /')
    await screen.shows('calc.py를 만들었습니다.')
    expect(readFileSync(join(cwd, 'calc.py'), 'utf8')).toContain('OPS')
    expect(resultsIn(server.log[1] as never)).toEqual(['User answered: +, -, *, /'])
    expect(server.violations).toEqual([])
    screen.press('C-d')
    expect(await screen.end()).toMatchObject({ code: 0 })
  })

  it('2: offers options and uses the chosen one', async () => {
    const { server, open } = await createModelSandbox((_, count) =>
      count === 1
        ? ask({
            question: '어떤 프레임워크를 사용할까요?',
            header: 'Framework',
            options: ['pytest', 'unittest', 'nose'],
          })
        : { text: 'pytest로 설정했습니다.' },
    )
    const screen = open()
    await screen.shows('tokens in')
    screen.type('테스트 프레임워크를 설정해줘')
    await screen.shows('unittest')
    expect(server.log).toHaveLength(1)
    await screen.shows('Enter choose')
    screen.press('1')
    await screen.shows('❯ 1. pytest')
    screen.press('Enter')
    await screen.shows('pytest로 설정했습니다.')
    expect(resultsIn(server.log[1] as never)).toEqual(['User selected: pytest'])
  })

  it('3: shows that it would delete node_modules, and does it only after a yes', async () => {
    const { server, cwd, hub, open } = await createModelSandbox((_, count) =>
      count <= 2 ? bash('rm -rf node_modules') : { text: 'Finished.' },
    )
    const folder = join(cwd, 'node_modules')
    mkdirSync(folder)
    const screen = open()
    await screen.shows('tokens in')
    screen.type('node_modules 폴더를 지워줘')
    await screen.shows('It wants to run')
    await screen.shows('rm -rf node_modules')
    const request = await until(async () => (await hub.list()).requests[0], 'the approval')
    expect(existsSync(folder)).toBe(true)
    await hub.decline(request.id, { reason: 'not that one' })
    // The model tries the same command again, so it is asked about again.
    const again = await until(async () => (await hub.list()).requests[0], 'another approval')
    expect(again.id).not.toBe(request.id)
    expect(existsSync(folder)).toBe(true)
    expect(resultsIn(server.log[1] as never)[0]).toContain('not that one')
    await hub.answer(again.id, { value: 'yes' })
    await screen.shows('Finished.')
    expect(existsSync(folder)).toBe(false)
    expect(await hub.get(again.id)).toMatchObject({ usedAt: expect.any(String) })
    expect(server.violations).toEqual([])
  })

  it('3: does not ask again after "always", nor with --no-strict', async () => {
    const { cwd, hub, open } = await createModelSandbox((_, count) =>
      count % 2 === 1 ? bash('rm -rf node_modules') : { text: `Finished ${count}.` },
    )
    const folder = join(cwd, 'node_modules')
    mkdirSync(folder)
    const screen = open()
    await screen.shows('tokens in')
    screen.type('node_modules 폴더를 지워줘')
    await screen.shows('always for exactly this')
    await screen.shows('Enter choose')
    screen.press('3')
    await screen.shows('❯ 3. yes, and always for exactly this')
    screen.press('Enter')
    await screen.shows('Finished 2.')
    mkdirSync(folder)
    screen.type('한 번 더')
    await screen.shows('Finished 4.')
    expect(existsSync(folder)).toBe(false)
    const [rule] = await hub.rules.list()
    await hub.rules.remove(rule?.id ?? '')
    screen.press('C-d')
    await screen.end()
    mkdirSync(folder)
    const standard = open([...args, '--no-strict'])
    await standard.shows('tokens in')
    standard.type('또 한 번')
    await standard.shows('Finished 6.')
    expect(existsSync(folder)).toBe(false)
    expect((await hub.list({ status: 'all' })).requests).toHaveLength(2)
  })

  it('4: shortens a long output, and keeps the full output in a file that the agent can read', async () => {
    const { server, cwd, home, open } = await createModelSandbox((seen, count) => {
      if (count === 1) return { calls: [{ name: 'Read', input: { path: 'big.log', limit: 10_000 } }] }
      const [, file] = /the whole output is in (\S+)\)/.exec(resultsIn(seen)[0] ?? '') ?? []
      if (count === 2) return { calls: [{ name: 'Grep', input: { pattern: 'entry 5000 ', path: file } }] }
      return { text: 'I have seen it.' }
    })
    const lines = [...Array(9_000).keys()].map(i => `entry ${i} of a large log file`)
    writeFileSync(join(cwd, 'big.log'), `${lines.join('\n')}\n`)
    const screen = open()
    await screen.shows('tokens in')
    screen.type('큰 로그 파일을 읽어줘')
    await screen.shows('I have seen it.')
    const [cut = '', found = ''] = resultsIn(server.log[2] as never)
    expect(cut.length).toBeLessThan(10_400)
    expect(cut).toContain('entry 0 of')
    expect(cut).toMatch(/truncated \d+ of \d+ characters/)
    expect(cut).toContain('entry 8999 of')
    expect(cut).toContain(home)
    expect(found).toContain('entry 5000 of a large log file')
  })
})

describe('beckon agent', () => {
  it('resumes with --continue after a kill, shows its open question, and takes an answer from another process', async () => {
    const { server, hub, cwd, start, open, env } = await createModelSandbox((_, count) =>
      count === 1 ? ask({ question: 'Which database?', options: ['SQLite', 'PostgreSQL'] }) : { text: 'It is set up.' },
    )
    const screen = open()
    await screen.shows('tokens in')
    screen.type('set it up')
    await screen.shows('Which database?')
    const [request] = (await hub.list()).requests
    const [run] = await hub.runs.list()
    expect(run).toMatchObject({ status: 'running', waiting: ['waiting_question'], cwd })
    process.kill(run?.pid ?? 0, 'SIGKILL')
    await screen.end()
    const again = open([...args, '--continue'])
    await again.shows('Which database?')
    expect((await hub.list()).requests.map(({ id }) => id)).toEqual([request?.id])
    expect(server.log).toHaveLength(1)
    const answered = start(['answer', request?.id ?? '', 'PostgreSQL'], { env })
    expect(await answered.result).toMatchObject({ code: 0 })
    await again.shows('It is set up.')
    expect(server.log).toHaveLength(2)
    expect(resultsIn(server.log[1] as never)).toEqual(['User selected: PostgreSQL'])
    again.press('C-d')
    await again.end()
    expect(await hub.runs.get(run?.id ?? '')).toMatchObject({ id: run?.id, status: 'completed' })
  })

  it('says only once what came with an open question, after a kill and --continue', async () => {
    const { hub, open } = await createModelSandbox(() => ask({ question: 'Which database?' }, 'There are *two* ways.'))
    const screen = open()
    await screen.shows('tokens in')
    screen.type('set it up')
    await screen.shows('Enter send')
    const [run] = await hub.runs.list()
    process.kill(run?.pid ?? 0, 'SIGKILL')
    await screen.end()
    const again = open([...args, '--continue'])
    await again.shows('Enter send')
    expect(again.screen().match(/There are two ways/g)).toHaveLength(1)
  })

  it('stops a turn with Ctrl-C and keeps the conversation and the text typed meanwhile', async () => {
    const { server, open } = await createModelSandbox((_, count) =>
      count === 1 ? bash('echo started; sleep 60') : { text: 'Fine.' },
    )
    const screen = open()
    await screen.shows('tokens in')
    screen.type('wait')
    await screen.shows('started')
    screen.write('go on')
    screen.press('C-c')
    await screen.shows('Stopped. The conversation is kept.')
    await screen.shows('> go on')
    expect(server.log).toHaveLength(1)
    screen.press('Enter')
    await screen.shows('Fine.')
    expect(resultsIn(server.log[1] as never)[0]).toContain('the user interrupted it')
    expect(server.log[1]?.items.at(-1)).toMatchObject({ type: 'user', text: 'go on' })
  })

  it('keeps a question open after Ctrl-C, and queues the text typed meanwhile', async () => {
    const { server, open } = await createModelSandbox((_, count) =>
      count === 1 ? ask({ question: 'Which one?' }) : { text: 'Fine.' },
    )
    const screen = open()
    await screen.shows('tokens in')
    screen.type('choose')
    await screen.shows('Enter send')
    screen.press('C-c')
    await screen.shows('The question stays open')
    await screen.shows('a question is open: /answer')
    screen.type('be quick')
    await screen.shows('Enter send')
    expect(server.log).toHaveLength(1)
    screen.type('the left one')
    await screen.shows('Fine.')
    expect(server.log[1]?.items.slice(-2)).toMatchObject([
      { type: 'result', id: 'ask_1', output: 'User answered: the left one' },
      { type: 'user', text: 'be quick' },
    ])
  })

  it('lets a command ask for a secret that the model never sees', async () => {
    const need = 'beckon need api_key SHOP_KEY --description "a test key" -- bash -c \'printf %s "$SHOP_KEY" | wc -c\''
    const { server, home, open } = await createModelSandbox((_, count) =>
      count === 1 ? bash(need) : { text: 'Fine.' },
    )
    const screen = open()
    await screen.shows('tokens in')
    screen.type('use the key')
    await screen.shows('It needs an API key: SHOP_KEY')
    await screen.shows('Enter send')
    screen.type('sk-canary-0123456789')
    await screen.shows('Fine.')
    expect(resultsIn(server.log[1] as never)).toEqual(['20'])
    expect(JSON.stringify(server.log)).not.toContain('canary')
    expect(screen.tmux('capture-pane', '-p', '-S', '-')).not.toContain('canary')
    const files = readdirSync(home, { recursive: true, withFileTypes: true }).filter(file => file.isFile())
    const leaks = files.filter(file => readFileSync(join(file.parentPath, file.name), 'latin1').includes('canary'))
    expect(leaks.map(({ name }) => name)).toEqual([])
  })

  it('prints plain lines with --plain', async () => {
    const { server, open } = await createModelSandbox((_, count) =>
      count === 1
        ? ask({ question: 'Which?', options: ['pytest', 'unittest'] }, 'Let me ask.')
        : { text: 'All **fine**.' },
    )
    const screen = open([...args, '--plain'])
    await screen.shows('tokens in')
    await screen.shows('>')
    screen.type('choose')
    await screen.shows('Started: AskUserQuestion Which?')
    await screen.shows(/Enter (a )?number/)
    screen.type('2')
    await screen.shows('All **fine**.')
    expect(resultsIn(server.log[1] as never)).toEqual(['User selected: unittest'])
    await screen.shows(/fine\*\*\.[\s\S]*tokens in/)
    screen.type('/exit')
    expect(await screen.end()).toMatchObject({ code: 0 })
  })

  it('takes Korean, several lines, pasted text, and earlier messages from the history', async () => {
    const { server, open } = await createModelSandbox((_, count) => ({ text: `reply number ${count}` }))
    const screen = open()
    await screen.shows('tokens in')
    screen.write('한글')
    screen.press('Left')
    screen.write('x')
    screen.press('M-Enter')
    screen.write('y')
    await screen.shows('  y글')
    screen.press('Enter')
    await screen.shows('reply number 1')
    screen.paste('pasted\nlines')
    await screen.shows('> pasted')
    expect(server.log).toHaveLength(1)
    screen.press('Enter')
    await screen.shows('reply number 2')
    screen.press('Up', 'Up', 'Up', 'Enter')
    await screen.shows('reply number 3')
    const said = server.log.map(({ items }) => items.at(-1))
    expect(said).toEqual(['한x\ny글', 'pasted\nlines', '한x\ny글'].map(text => ({ type: 'user', text })))
  })

  it('chats without tools, and starts a new conversation with /reset', async () => {
    const { server, open } = await createModelSandbox(
      (_, count) => ({ text: `reply number ${count}` }),
      ['chat', '--model', 'anthropic/scripted'],
    )
    const screen = open()
    await screen.shows('tokens in')
    screen.type('hello')
    await screen.shows('reply number 1')
    screen.type('again')
    await screen.shows('reply number 2')
    screen.type('/reset')
    await screen.shows('Started a new conversation.')
    screen.type('who am I?')
    await screen.shows('reply number 3')
    expect(server.log.map(({ tools }) => tools)).toEqual([[], [], []])
    expect(server.log.map(({ items }) => items.length)).toEqual([1, 3, 1])
  })
})
