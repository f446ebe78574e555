import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { AgentLoop } from '../../src/agent/loop.ts'
import type { FileCheckpoints } from '../../src/agent/turn-checkpoints.ts'
import { fileCheckpoints } from '../../src/cli/agent/file-checkpoints.ts'
import { git } from '../supervisor/repositories.ts'
import { repliesIn } from './model-server.ts'
import { createAgentSandbox } from './sandbox.ts'
import type { Seen } from './wires/wire.ts'

/** A model that writes the file that the person names, and a repository with checkpoints. */
async function createRepository(model?: string) {
  const sandbox = await createAgentSandbox(
    seen => {
      const last = seen.items.at(-1)
      if (last?.type !== 'user') return { text: `reply ${repliesIn(seen)}` }
      // The same id every time, as some models number them.
      return { calls: [{ id: 'call_1', name: 'Write', input: { path: last.text, content: `${last.text}\n` } }] }
    },
    model ? { model } : {},
  )
  git(sandbox.cwd, 'init', '-q', '-b', 'main')
  const { id } = await sandbox.hub.runs.start({ command: ['test'], cwd: sandbox.cwd })
  const files = fileCheckpoints(sandbox.hub, { id, cwd: sandbox.cwd }, {})
  const open = (folder?: string, given: FileCheckpoints = files) =>
    sandbox.open({ files: given, ...(folder ? { folder } : {}) })
  const has = (...names: string[]) => names.map(name => existsSync(join(sandbox.cwd, name)))
  return { ...sandbox, open, has, files }
}

async function talk(loop: AgentLoop, ...messages: string[]) {
  for (const text of messages) expect(await loop.runTurn(text)).toMatchObject({ status: 'done' })
}

const rewindTo = (loop: AgentLoop, number: number) => {
  const turn = loop.turns()[number - 1]
  if (!turn) throw new Error(`no turn ${number}`)
  return loop.rewind({ to: turn.line, checkpoint: turn.checkpoint })
}

const said = ({ items }: Seen) => items.flatMap(item => (item.type === 'user' ? [item.text] : []))

describe('a rewind', () => {
  it.each(['anthropic/scripted', 'openai/scripted', 'compatible/scripted', 'google/scripted'])(
    'goes back to before a message with the files, and brings back what it cut off: %s',
    async model => {
      const { open, has, server, cwd } = await createRepository(model)
      const loop = await open()
      await talk(loop, 'one', 'two', 'three')
      writeFileSync(join(cwd, 'mine'), 'what the person wrote meanwhile\n')
      await rewindTo(loop, 2)
      expect(has('one', 'two', 'three')).toEqual([true, false, false])
      expect(loop.turns().map(({ text }) => text)).toEqual(['one'])
      await talk(loop, 'four')
      expect(said(server.log.at(-1) as Seen)).toEqual(['one', 'four'])
      expect(has('one', 'two', 'three', 'four')).toEqual([true, false, false, true])
      const undo = loop.undoOfRewind()
      if (!undo) throw new Error('nothing to undo')
      await loop.rewind(undo)
      expect(has('one', 'two', 'three', 'four', 'mine')).toEqual([true, true, true, false, true])
      await talk(loop, 'five')
      expect(said(server.log.at(-1) as Seen)).toEqual(['one', 'two', 'three', 'five'])
      expect(server.violations).toEqual([])
      loop.close()
      const again = await open(loop.folder)
      expect(again.turns().map(({ text }) => text)).toEqual(['one', 'two', 'three', 'five'])
      expect(again.status().usage.input).toBe(loop.status().usage.input)
    },
  )

  it.each(['before the files', 'after the files'])('is finished by the next process after a kill %s', async when => {
    const { open, has, files } = await createRepository()
    const hanging = Promise.withResolvers<never>()
    const reached = Promise.withResolvers<void>()
    const loop = await open(undefined, {
      ...files,
      async restore(id) {
        if (when === 'after the files') await files.restore(id)
        reached.resolve()
        return hanging.promise
      },
    })
    await talk(loop, 'one', 'two', 'three')
    rewindTo(loop, 2).catch(() => {})
    await reached.promise
    loop.close()
    const again = await open(loop.folder)
    expect(again.turns().map(({ text }) => text)).toEqual(['one'])
    expect(has('one', 'two', 'three')).toEqual([true, false, false])
    const undo = again.undoOfRewind()
    if (undo) await again.rewind(undo)
    expect(again.turns().map(({ text }) => text)).toEqual(['one', 'two', 'three'])
    expect(has('one', 'two', 'three')).toEqual([true, true, true])
  })

  it('cuts nothing off when the files cannot be restored', async () => {
    const { open, has, files } = await createRepository()
    const loop = await open(undefined, { ...files, restore: () => Promise.reject(new Error('gone')) })
    await talk(loop, 'one', 'two')
    await expect(rewindTo(loop, 2)).rejects.toThrow('gone')
    expect(loop.turns()).toHaveLength(2)
    expect(has('one', 'two')).toEqual([true, true])
    loop.close()
    expect((await open(loop.folder)).turns()).toHaveLength(2)
  })

  it('withdraws a question of the part that it cuts off, and asks a new one with the same id of a call', async () => {
    const sandbox = await createAgentSandbox(seen =>
      seen.items.at(-1)?.type === 'user'
        ? { calls: [{ id: 'call_1', name: 'AskUserQuestion', input: { question: 'Which?' } }] }
        : { text: 'Fine.' },
    )
    const loop = await sandbox.open()
    await loop.runTurn('one')
    await loop.answerQuestion('the first')
    await talk(loop, '')
    await loop.runTurn('two')
    const open = loop.getPendingQuestion()
    await rewindTo(loop, 1)
    expect(await sandbox.hub.get(open?.id ?? '')).toMatchObject({ status: 'cancelled' })
    expect(await loop.runTurn('three')).toMatchObject({ status: 'waiting', question: { status: 'pending' } })
    expect(readFileSync(join(loop.folder, 'journal.jsonl'), 'utf8')).toContain('the first')
  })

  it('leaves the files alone without a checkpoint', async () => {
    const { open, has } = await createRepository()
    const loop = await open()
    await talk(loop, 'one')
    const turns = loop.turns()
    expect(turns).toMatchObject([{ checkpoint: expect.stringMatching(/^chk_/) }])
    await loop.rewind({ to: turns[0]?.line ?? 0, checkpoint: null })
    expect(has('one')).toEqual([true])
    expect(loop.isEmpty()).toBe(true)
  })
})
