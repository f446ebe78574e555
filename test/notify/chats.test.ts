import { hostname } from 'node:os'
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

interface SlackPart {
  type: string
  text: string
}

/** What Slack shows of a message, in its order. */
function slackParts(json: { blocks: { elements: { elements: SlackPart[] }[] }[] }): SlackPart[] {
  return json.blocks.flatMap(({ elements }) => elements).flatMap(({ elements }) => elements)
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
    message: `Ship it?\nFrom: script (person) · On: ${hostname()} · Project: work`,
    priority: 3,
    tags: ['question'],
    click: `${inbox}/requests/${question?.id}`,
    sequence_id: question?.id,
  })
  expect(danger?.json).toMatchObject({ priority: 5, tags: ['warning'] })
  expect(danger?.json.message).toMatch(/^Approve sudo\?\nFrom: .* · Danger: critical$/)
})

it('tells Slack who asks, where and until when, with a link', async () => {
  const [got] = await tell('slack', '/services/T0/B0/x', [{ ...shipIt, timeout: 3_600_000, onTimeout: 'fail' }])
  expect(got?.path).toBe('/services/T0/B0/x')
  const facts = `From: script (person) · On: ${hostname()} · Project: work · Until: `
  const [title, told] = String(got?.json.text).split('\n')
  expect(title).toBe('*question*: `Ship it?`')
  expect(told?.startsWith(`\`${facts}`)).toBe(true)
  expect(told).toMatch(/Until: \d+ \w+, [\d:]+ \w+, then it fails`$/)
  const parts = slackParts(got?.json)
  expect(parts.map(({ text }) => text).join('')).toContain(`question: Ship it?\n${facts}`)
  expect(parts.filter(({ type }) => type === 'link')).toEqual([
    { type: 'link', url: `${inbox}/requests/${got?.id}`, text: 'Open in Beckon' },
  ])
})

it('prevents mentions, links and formatting by an agent in a chat, without invisible characters', async () => {
  const question = '<!channel> @here *now* `x` [x](https://evil.example) STRIPE_KEY_2 a & b\nnext\u202e'
  const [got] = await tell('slack', '/s', [{ questions: [{ question }] }])
  expect(JSON.stringify(got?.json)).not.toMatch(/\p{Cf}/u)
  // Services that show the text find nothing in inline code; and Slack nothing without <.
  const [first] = String(got?.json.text).split('\n')
  expect(first).toBe(
    "*question*: `‹!channel› @here *now* 'x' [x](https://evil.example) STRIPE_KEY_2 a & b next\\u202e`",
  )
  // Slack shows the blocks, and the agent's words only in elements that are shown as they are.
  const spoken = slackParts(got?.json).filter(({ text }) => text.includes('evil'))
  const literal = '<!channel> @here *now* `x` [x](https://evil.example) STRIPE_KEY_2 a & b next\\u202e'
  expect(spoken).toEqual([{ type: 'text', text: literal }])
})

it('lets no name that an agent chose look like what Beckon says', async () => {
  const agent = { name: 'claude · Danger: none', cwd: '/work/shop·Until: 2030' }
  const [got] = await tell('slack', '/s', [{ ...dangerous, agent }])
  const [, facts = ''] = String(got?.json.text).split('\n')
  expect(facts.split(' · ').map(fact => fact.replaceAll('`', '').split(':')[0])).toEqual([
    'From',
    'On',
    'Project',
    'Danger',
  ])
  expect(facts).toContain(' · Danger: critical')
  expect(facts.match(/·/g)).toHaveLength(3)
})

it('sends a short title without anything that may be secret', async () => {
  const key = 'sk-canary-0123456789abcdef'
  const got = await tell('slack', '/s', [
    dangerous,
    { kind: 'dependency', type: 'api_key', name: 'STRIPE_KEY', description: `not ${key}` },
    { questions: [{ question: `Is ${key} right? ${'x '.repeat(500)}` }] },
    { kind: 'review', phase: 2, title: `Wrote ${key}`, files: [] },
  ])
  const texts = got.map(({ json }) => String(json.text.split('\n')[0]))
  expect(texts.join('\n')).not.toContain('canary')
  expect(texts).toEqual([
    '*approval*: `Approve sudo?`',
    '*dependency*: `STRIPE_KEY (api key) is needed`',
    expect.stringMatching(/^\*question\*: `Is \[…\] right\? (x ?)+…`$/),
    '*review*: `Review: Wrote […]`',
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
  const text = `${got?.json.text ?? got?.json.message}`
  expect(text).toContain('deploy failed: Required dependency rejected: KEY — no')
  expect(`${text} ${got?.json.click}`).toContain(`${inbox}/runs/${id}`)
})
