import { afterEach, describe, expect, it } from 'vitest'
import type { Hub } from '../../src/hub/hub.ts'
import { openLocalHub } from '../../src/open-hub.ts'
import { type AskInput, alwaysLapsesAfter } from '../../src/protocol/index.ts'
import { databases, testKey } from '../setup/databases.ts'

const approval = {
  kind: 'approval',
  action: {
    command: 'git stash drop',
    cwd: '/work/deep',
  },
} satisfies AskInput

describe.each(databases)('the hub on $name', ({ fresh }) => {
  const open: Hub[] = []
  let moved = 0

  afterEach(async () => {
    moved = 0
    await Promise.all(open.splice(0).map(hub => hub.close()))
  })

  async function openTwoHubs() {
    const database = await fresh()
    const openAs = async (user: string) => {
      const env = { BECKON_KEY: testKey }
      const hub = await openLocalHub({
        database,
        env,
        caller: { user, directory: '/work' },
        shift: () => moved,
        sweeps: false,
      })
      open.push(hub)
      return hub
    }
    return { asker: await openAs('agent'), person: await openAs('person') }
  }

  it('stores a rule together with an "always" answer', async () => {
    const { asker, person } = await openTwoHubs()
    const first = await asker.raise(approval)
    const { request } = await person.answer(first.id, { value: 'always prefix', note: 'mine' })
    expect(request.outcome).toMatchObject({ status: 'answered', always: 'prefix', answers: [{ selected: ['yes'] }] })
    const second = await asker.raise(approval)
    await person.answer(second.id, { value: 'always exact' })
    const [prefix, exact] = await asker.rules.list()
    expect(prefix).toMatchObject({
      scope: 'prefix',
      verdict: 'allow',
      words: ['git', 'stash', 'drop'],
      within: '/work/deep',
      covers: ['git/stash-drop'],
      note: 'mine',
      request: first.id,
      by: 'person',
      removedAt: null,
    })
    expect(exact).toMatchObject({ scope: 'exact', command: 'git stash drop', cwd: '/work/deep' })
    expect(await asker.use(first.id)).toMatchObject({ request: { usedAt: expect.any(String) } })
  })

  it('stores no rule for a late answer, and distinguishes a plain yes from "always"', async () => {
    const { asker, person } = await openTwoHubs()
    const { id } = await asker.raise(approval)
    await person.answer(id, { value: 'yes' })
    expect(await person.answer(id, { value: 'always exact' })).toMatchObject({ won: false, replay: false })
    const other = await asker.raise(approval)
    await person.answer(other.id, { value: 'always exact' })
    expect(await person.answer(other.id, { value: 'always exact' })).toMatchObject({ won: false, replay: true })
    expect(await asker.rules.list()).toHaveLength(1)
  })

  it('accepts "always" only where the hub offers it, and never for a dangerous command', async () => {
    const { asker, person } = await openTwoHubs()
    const plain = await asker.raise({ ...approval, action: { ...approval.action, command: 'git stash drop | cat' } })
    await expect(person.answer(plain.id, { value: 'always prefix' })).rejects.toMatchObject({ code: 'invalid' })
    const dangerous = await asker.raise({ ...approval, action: { ...approval.action, severity: 'high' as const } })
    await expect(person.answer(dangerous.id, { value: 'always exact' })).rejects.toMatchObject({ code: 'invalid' })
    expect(await asker.rules.list({ all: true })).toEqual([])
  })

  it('accepts a yes to an edited command, but not together with "always"', async () => {
    const { asker, person } = await openTwoHubs()
    const { id } = await asker.raise(approval)
    const both = { value: 'always exact', edited: 'git stash list' }
    await expect(person.answer(id, both)).rejects.toMatchObject({ code: 'invalid' })
    const { request } = await person.answer(id, { value: 'yes', edited: 'git stash list' })
    expect(request).toMatchObject({
      outcome: { edited: { command: 'git stash list' } },
      action: { command: 'git stash drop' },
    })
    expect(await person.answer(id, { value: 'yes' })).toMatchObject({ won: false, replay: false })
    await asker.use(id, { executed: 'git stash list' })
    const used = (await person.events()).find(({ type }) => type === 'request.used')
    expect(used?.data).toEqual({ executed: 'git stash list' })
    const question = await asker.raise({ questions: [{ question: 'Which?' }] })
    await expect(person.answer(question.id, { value: 'x', edited: 'y' })).rejects.toMatchObject({ code: 'invalid' })
  })

  it('ends a rule when it expires or is removed, and keeps it on record', async () => {
    const { asker, person } = await openTwoHubs()
    const rule = { verdict: 'deny', scope: 'prefix', words: ['npm', 'publish'], within: '/work' } as const
    const kept = await person.rules.add({ ...rule, words: [...rule.words] })
    const { id } = await asker.raise(approval)
    await person.answer(id, { value: 'always exact' })
    moved = alwaysLapsesAfter + 1_000
    expect((await asker.rules.list()).map(one => one.id)).toEqual([kept.id])
    expect(await person.rules.remove(kept.id)).toMatchObject({ removedBy: 'person', removedAt: expect.any(String) })
    expect(await asker.rules.remove(kept.id)).toMatchObject({ removedBy: 'person' })
    expect(await asker.rules.list()).toEqual([])
    expect(await asker.rules.list({ all: true })).toHaveLength(2)
    await expect(person.rules.remove('rul_none')).rejects.toMatchObject({ code: 'not_found' })
    await expect(person.rules.remove('\0')).rejects.toMatchObject({ code: 'not_found' })
  })

  it('refuses an empty rule', async () => {
    const { person } = await openTwoHubs()
    const empty = { verdict: 'deny', scope: 'prefix', words: [], within: '/' } as const
    await expect(person.rules.add({ ...empty, words: [] })).rejects.toMatchObject({ code: 'invalid' })
  })
})
