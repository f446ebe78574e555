import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, inject, it } from 'vitest'
import { startModel } from '../adapters/model.ts'
import { createProject, kill, stopped } from '../adapters/project.ts'
import { resultsIn, startModelServer } from '../agent/model-server.ts'
import { until } from '../cli/sandbox.ts'
import { blocksOf } from '../docs/blocks.ts'
import { claude, prepareClaude } from './drivers/claude.ts'

const sdks = inject('sdks')

it('LangGraph: two interrupts at once, answered in reverse order, each get their own answer after a crash, once', async () => {
  const project = await createProject(sdks, ['@langchain', 'zod'])
  const first = project.start('langgraph.mjs', { stops: true })
  const [notes, where] = await project.pending(2)
  await project.hub.answer(where?.id ?? '', { value: 'staging' })
  await project.hub.decline(notes?.id ?? '', { reason: 'ask Mina' })
  await stopped(first)
  await kill(first)
  expect(project.lines('answers.log')).toEqual([])

  expect(await project.start('langgraph.mjs').result).toMatchObject({
    code: 0,
    stdout: 'declined (ask Mina), staging\n',
  })
  expect(project.lines('answers.log').toSorted()).toEqual([
    'What do the release notes say? declined (ask Mina)',
    'Where to? staging',
  ])
  expect((await project.hub.list({ status: 'all' })).requests).toHaveLength(2)
})

it('LangGraph: the program of docs/langgraph.md goes on with the answer', async () => {
  const project = await createProject(sdks, ['@langchain', 'zod'])
  const [program] = blocksOf(readFileSync(join(import.meta.dirname, '../../docs/langgraph.md'), 'utf8'), 'langgraph.md')
  project.write('page.mjs', program?.text ?? '')
  const running = project.start('page.mjs')
  const [where] = await project.pending(1)
  await project.hub.answer(where?.id ?? '', { value: 'staging' })
  expect(await running.result).toMatchObject({ code: 0, stdout: 'deploying to staging\n' })
})

it('LangChain: its own middleware gets each decision from the hub, after a crash, and runs a call once', async () => {
  const project = await createProject(sdks, ['@langchain', 'langchain', 'zod'])
  project.write('tool-review.mjs', readFileSync(join(import.meta.dirname, 'programs/tool-review.mjs'), 'utf8'))
  const first = project.start('tool-review.mjs', { stops: true })
  const [preview, production] = await project.pending(2)
  await project.hub.answer(production?.id ?? '', { value: 'yes' })
  await project.hub.answer(preview?.id ?? '', { value: 'yes', edited: { input: { environment: 'preview-2' } } })
  await stopped(first)
  await kill(first)
  expect(project.lines('deployed.log')).toEqual([])

  // The next turn of the agent asks anew; a no there reaches the model with its reason.
  const second = project.start('tool-review.mjs')
  const [again, last] = await project.pending(2)
  expect(project.lines('deployed.log').toSorted()).toEqual(['preview-2', 'production'])
  await project.hub.decline(last?.id ?? '', { reason: 'not on a Friday' })
  await project.hub.answer(again?.id ?? '', { value: 'yes' })
  const { code, stdout, stderr } = await second.result
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(stdout).toContain('declined: A person said no: not on a Friday.')
  expect(project.lines('deployed.log')).toHaveLength(2)
  // After one no the middleware runs nothing: the other yes was not spent.
  expect(await project.hub.get(again?.id ?? '')).toMatchObject({ status: 'answered', usedAt: null })
  expect((await project.hub.list({ status: 'all' })).requests).toHaveLength(4)
})

it('OpenAI Agents: two interruptions each get their own answer after a crash, and a call never runs twice', async () => {
  const project = await createProject(sdks, ['@openai', 'zod'])
  const call = (id: string, environment: string) => ({ id, name: 'deploy', input: { environment } })
  const model = await startModel([call('call_1', 'staging'), call('call_2', 'production')])
  project.atEnd(() => model.close())
  const start = (stops = false) => project.start('openai-agents.mjs', { env: model.env, stops })
  const first = start(true)
  const [production, staging] = await project.pending(2)
  await project.hub.decline(production?.id ?? '', { reason: 'not on a Friday' })
  await project.hub.answer(staging?.id ?? '', { value: 'yes' })
  await stopped(first)
  await kill(first)
  expect(project.lines('deployed.log')).toEqual([])

  model.hold(true)
  const second = start()
  await expect.poll(() => model.seen).toHaveLength(1)
  await kill(second)
  expect(project.lines('deployed.log')).toEqual(['staging'])
  expect(model.seen[0]).toEqual(['Deployed to staging.', expect.stringContaining('declined: A person said no')])

  model.hold(false)
  expect(await start().result).toMatchObject({ code: 0, stdout: 'Done.\n' })
  expect(project.lines('deployed.log')).toEqual(['staging'])
  expect(model.seen.at(-1)?.[0]).toContain('used: The yes to this call')
  expect((await project.hub.list({ status: 'all' })).requests).toHaveLength(2)
})

it('Claude Agent SDK: a question and a permission are answered, the yes also after a crash, and the command runs once', async () => {
  const project = await createProject(sdks, ['@anthropic-ai', '@modelcontextprotocol', 'zod'])
  const home = join(project.root, 'claude')
  const question = { question: 'Which database?', header: 'Database', multiSelect: false, options }
  const bash = { command: 'echo SQLite >> made.log', description: 'Create the file' }
  const model = await startModelServer(seen => {
    const { items, tools } = seen
    if (tools.length === 0) return { text: 'A title' }
    if (resultsIn(seen).length === 0) return { calls: [{ name: 'AskUserQuestion', input: { questions: [question] } }] }
    // It tries once, and once more after the restart, which begins with a text of the user.
    const last = items.at(-1)
    const tries = items.filter(item => item.type === 'call' && item.name === 'Bash').length
    const isTry = tries === 0 || (tries === 1 && last?.type === 'user')
    return isTry ? { calls: [{ name: 'Bash', input: bash }] } : { text: `Done: ${resultsIn(seen).at(-1)}` }
  })
  project.atEnd(() => model.close())
  mkdirSync(home)
  const place = { home, cwd: project.cwd }
  claude.seed?.(place)
  const { env } = prepareClaude(place, { prompt: '', model: model.url, args: [], mcp: null, config: null })
  const start = (more = {}) =>
    project.start('claude-agent-sdk.mjs', {
      env: { ...env, HOME: home, CLAUDE_PATH: join(inject('agents'), 'claude'), ...more },
    })

  const results = () => resultsIn(model.log.at(-1) ?? { items: [] })
  const first = start()
  await project.hub.answer((await project.pending(1))[0]?.id ?? '', { value: 'SQLite' })
  const [permission] = await until(async () => {
    const { requests } = await project.hub.list({ kind: 'approval' })
    return requests.length === 1 ? requests : null
  }, 'the permission')
  expect(results()).toEqual([expect.stringContaining('"Which database?"="SQLite"')])
  await kill(first)
  // Claude outlives the program for a moment, and ends the call by itself.
  await expect.poll(results).toContainEqual(expect.stringContaining('permission request failed'))
  await project.hub.answer(permission?.id ?? '', { value: 'yes' })
  expect(project.lines('made.log')).toEqual([])

  const [, session = ''] = /Session (\S+)/.exec(first.written().stdout) ?? []
  expect(await start({ RESUME: session }).result).toMatchObject({ code: 0 })
  expect(project.lines('made.log')).toEqual(['SQLite'])
  expect((await project.hub.list({ status: 'all' })).requests).toHaveLength(2)
  expect((await project.hub.get(permission?.id ?? '')).usedAt).not.toBeNull()
})

const options = [
  { label: 'SQLite', description: 'One file' },
  { label: 'PostgreSQL', description: 'A server' },
]
