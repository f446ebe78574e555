import { join } from 'node:path'
import { expect, it } from 'vitest'
import { type ScriptedCall, startModel } from './model.ts'
import { createProject, kill, stopped } from './project.ts'

const modules = join(import.meta.dirname, '../../node_modules')
const deploy = (id: string, environment: string) => ({ id, name: 'deploy', input: { environment } })

it('gives each of two calls its own answer, after a crash between the answers and their use, and runs it once', async () => {
  const { project, model, start } = await createAiProject()
  const first = start({ stops: true })
  const [production, staging] = await project.pending(2)
  await project.hub.decline(production?.id ?? '', { reason: 'not on a Friday' })
  await project.hub.answer(staging?.id ?? '', { value: 'yes' })
  await stopped(first)
  await kill(first)
  expect(project.lines('deployed.log')).toEqual([])

  const second = await start().result
  expect(second).toMatchObject({ code: 0, stdout: 'Done.\n' })
  expect(project.lines('deployed.log')).toEqual(['staging'])
  expect(model.seen.at(-1)?.toSorted()).toEqual([
    expect.stringContaining('Deployed to staging.'),
    expect.stringContaining('declined: A person said no: not on a Friday.'),
  ])
  expect((await project.hub.list({ status: 'all' })).requests).toHaveLength(2)
  expect((await project.hub.get(staging?.id ?? '')).usedAt).not.toBeNull()
})

it('never runs a call a second time that ran before the crash, and says so to the model', async () => {
  const { project, model, start } = await createAiProject()
  model.hold(true)
  const first = start()
  for (const { id } of await project.pending(2)) await project.hub.answer(id, { value: 'yes' })
  await expect.poll(() => model.seen).toHaveLength(1)
  await kill(first)
  expect(project.lines('deployed.log').toSorted()).toEqual(['production', 'staging'])

  model.hold(false)
  expect(await start().result).toMatchObject({ code: 0, stdout: 'Done.\n' })
  expect(project.lines('deployed.log')).toHaveLength(2)
  expect(model.seen.at(-1)).toEqual(Array(2).fill(expect.stringContaining('used: The yes to this call')))
})

it('tells silence and a changed input apart from a no', async () => {
  const { project, model, start } = await createAiProject()
  const code = project.lines('ai-sdk.mjs').join('\n')
  project.write('ai-sdk.mjs', code.replace('messages, { thread }', "messages, { thread, timeout: '1h' }"))
  const running = start()
  const [production, staging] = await project.pending(2)
  await project.hub.reschedule(staging?.id ?? '', 1)
  await project.hub.answer(production?.id ?? '', { value: 'yes', edited: { input: { environment: 'preview' } } })
  expect(await running.result).toMatchObject({ code: 0 })
  expect(project.lines('deployed.log')).toEqual([])
  expect(model.seen.at(-1)?.toSorted()).toEqual([
    expect.stringMatching(/changed: .* exactly this input: .*preview/),
    expect.stringContaining('expired: Nobody decided in time.'),
  ])
})

it('answers the question of a model, and again after a crash', async () => {
  const question = { question: 'Which region?', options: ['eu', 'us'] }
  const { project, model, start } = await createAiProject([{ id: 'toolu_1', name: 'askHuman', input: question }])
  model.hold(true)
  const first = start()
  const [request] = await project.pending(1)
  await project.hub.answer(request?.id ?? '', { value: 'eu' })
  await expect.poll(() => model.seen).toHaveLength(1)
  await kill(first)

  model.hold(false)
  expect(await start().result).toMatchObject({ code: 0 })
  expect(model.seen.map(([result]) => JSON.parse(result ?? ''))).toEqual(
    Array(2).fill({ status: 'answered', value: 'eu' }),
  )
  expect((await project.hub.list({ status: 'all' })).requests).toHaveLength(1)
})

async function createAiProject(
  calls: ScriptedCall[] = [deploy('toolu_1', 'staging'), deploy('toolu_2', 'production')],
) {
  const project = await createProject(modules, ['ai', 'zod', '@ai-sdk/anthropic'])
  const model = await startModel(calls)
  project.atEnd(() => model.close())
  return {
    project,
    model,
    start: (options: { stops?: boolean } = {}) => project.start('ai-sdk.mjs', { env: model.env, ...options }),
  }
}
