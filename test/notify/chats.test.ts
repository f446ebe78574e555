import { expect, it } from 'vitest'
import type { AskInput } from '../../src/protocol/index.ts'
import { databases } from '../setup/databases.ts'
import { startReceiver } from './receiver.ts'
import { inbox, openTestHub, shipIt } from './test-hub.ts'

const sqlite = databases[0] as (typeof databases)[number]

async function tell(kind: 'ntfy' | 'slack', path: string, asks: AskInput[], secret?: string) {
  const { hub, send } = await openTestHub(await sqlite.fresh())
  const receiver = await startReceiver()
  await hub.targets.add({ kind, url: `${receiver.url}${path}`, ...(secret ? { secret } : {}) })
  send()
  const got = []
  for (const [i, ask] of asks.entries()) {
    const { id } = await hub.raise(ask)
    const received = (await receiver.came(i + 1))[i]
    got.push({ id, ...received })
  }
  return got
}

const dangerous: AskInput = {
  kind: 'approval',
  action: {
    command: 'TOKEN=sk-canary-0123456789abcdef sudo rm -rf /srv --key sk-canary-0123456789abcdef',
    cwd: '/work',
    digest: 'd',
    severity: 'critical',
  },
}

it('sends ntfy a title, a priority by urgency, tags and a link', async () => {
  const [question, danger] = await tell('ntfy', '/base/my-topic', [shipIt, dangerous], 'tk_1')
  expect(question?.path).toBe('/base/')
  expect(question?.headers?.authorization).toBe('Bearer tk_1')
  expect(question?.json).toEqual({
    topic: 'my-topic',
    title: 'Beckon: question',
    message: 'Ship it?',
    priority: 3,
    tags: ['question'],
    click: `${inbox}/requests/${question?.id}`,
  })
  expect(danger?.json).toMatchObject({ message: 'Approve sudo?', priority: 5, tags: ['warning'] })
})

it('sends Slack a text with a link', async () => {
  const [got] = await tell('slack', '/services/T0/B0/x', [shipIt])
  expect(got?.path).toBe('/services/T0/B0/x')
  expect(got?.json).toEqual({ text: `*question*: Ship it?\n${inbox}/requests/${got?.id}` })
})

it('prevents mentions, links and formatting by an agent in a chat', async () => {
  const question = '<!channel> @here *now* [x](https://evil.example) a & b\nnext\u202e'
  const [got] = await tell('slack', '/s', [{ questions: [{ question }] }])
  const [text = '', link] = String(got?.json.text).split('\n')
  expect(link).toBe(`${inbox}/requests/${got?.id}`)
  for (const bad of ['<', '@here', '://evil', 'evil.example', '*now*', '](']) expect(text).not.toContain(bad)
  expect(text.replaceAll('\u200b', '')).toBe(
    '*question*: &lt;!channel&gt; @here *now* [x](https://evil.example) a &amp; b next\\u202e',
  )
})

it('sends a short title without anything that may be secret', async () => {
  const key = 'sk-canary-0123456789abcdef'
  const got = await tell('slack', '/s', [
    dangerous,
    { kind: 'dependency', type: 'api_key', name: 'STRIPE_KEY', description: `not ${key}` },
    { questions: [{ question: `Is ${key} right? ${'x '.repeat(500)}` }] },
    { kind: 'review', phase: 2, title: `Wrote ${key}`, files: [] },
  ])
  const texts = got.map(({ json }) => String(json.text.split('\n')[0]).replaceAll('\u200b', ''))
  expect(texts.join('\n')).not.toContain('canary')
  expect(texts).toEqual([
    '*approval*: Approve sudo?',
    '*dependency*: STRIPE_KEY (api key) is needed',
    expect.stringMatching(/^\*question\*: Is \[…\] right\? (x ?)+…$/),
    '*review*: Review: Wrote […]',
  ])
  expect(Math.max(...texts.map(text => text.length))).toBeLessThan(140)
})

it.each([
  ['ntfy', '/topic', { title: 'Beckon: run failed', tags: ['x'] }],
  ['slack', '/s', {}],
] as const)('tells %s why a run failed', async (kind, path, more) => {
  const { hub, send } = await openTestHub(await sqlite.fresh())
  const receiver = await startReceiver()
  await hub.targets.add({ kind, url: `${receiver.url}${path}` })
  send()
  const { id } = await hub.runs.start({ name: 'deploy', command: ['agent'], cwd: '/work' })
  await hub.runs.change(id, { status: 'failed', reason: 'Required dependency rejected: KEY — no' })
  const [got] = await receiver.came(1)
  expect(got?.json).toMatchObject(more)
  const text = `${got?.json.text ?? got?.json.message}`.replaceAll('\u200b', '')
  expect(text).toContain('deploy failed: Required dependency rejected: KEY — no')
  expect(`${text} ${got?.json.click}`).toContain(`${inbox}/runs/${id}`)
})
