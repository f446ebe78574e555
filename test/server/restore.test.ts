import { hostname } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { withinLimits } from '../../src/supervisor/checkpoint/checkpoint.ts'
import { temporaryFolder } from '../setup/databases.ts'
import { commit, git, read, repository, take, write } from '../supervisor/repositories.ts'
import { call, startServer } from './test-server.ts'

it('tells what restoring a checkpoint would undo, and does it for a person, never for an agent', async () => {
  const root = repository({ a: '1\n', b: '1\n' })
  const home = temporaryFolder()
  const server = await startServer(join(home, 'beckon.db'), { home })
  const { hub } = server
  const run = await hub.runs.start({ name: 'r', command: ['x'], cwd: root, host: hostname() })
  const snapshot = withinLimits(await take(root))
  const { id } = await hub.checkpoints.save({ run: run.id, reason: 'start', snapshot })
  write(root, { a: '2\n', new: '2\n' })
  await hub.runs.change(run.id, { status: 'completed' })
  // What comes after the run is a person's work.
  commit(root, { b: 'committed\n' })
  write(root, { a: '3\n' })

  const path = `/api/checkpoints/${id}/restore`
  for (const scope of ['ask', 'run'] as const) {
    const token = await server.token(scope)
    for (const method of ['GET', 'POST'] as const)
      expect((await call(server, method, path, { token, ...(method === 'POST' ? { body: {} } : {}) })).status).toBe(403)
  }
  const token = await server.token('answer')
  const plan = await call(server, 'GET', path, { token })
  expect(plan.json).toMatchObject({
    checkpoint: id,
    here: true,
    command: `beckon restore ${id}`,
    restored: ['a', 'b'],
    removed: ['new'],
    files: 3,
    unsaved: ['a'],
    commits: [{ id: git(root, 'rev-parse', '--short', 'HEAD').trim(), title: 'x' }],
    refused: null,
  })
  expect(read(root, 'a')).toBe('3\n')
  // Work that is nowhere else is not overwritten by accident.
  expect((await call(server, 'POST', path, { token, body: {} })).status).toBe(403)
  const restored = await call(server, 'POST', path, { token, body: { force: true } })
  expect(restored.json).toMatchObject({ checkpoint: id, restored: ['a', 'b'], removed: ['new'] })
  expect([read(root, 'a'), read(root, 'b')]).toEqual(['1\n', '1\n'])
  expect(await hub.checkpoints.get(restored.json.undo)).toMatchObject({ reason: 'demand' })

  const elsewhere = await hub.runs.start({ name: 'r', command: ['x'], cwd: root, host: 'build-9' })
  const other = await hub.checkpoints.save({ run: elsewhere.id, reason: 'start', snapshot })
  const command = await call(server, 'GET', `/api/checkpoints/${other.id}/restore`, { token })
  expect(command.json).toMatchObject({ here: false, host: 'build-9', command: `beckon restore ${other.id}`, files: 0 })
})

it('restores nothing for a supervisor elsewhere that claims to be this machine', async () => {
  const root = repository({ a: '1\n' })
  const then = git(root, 'rev-parse', 'HEAD').trim()
  commit(root, { a: '2\n' })
  const home = temporaryFolder()
  const server = await startServer(join(home, 'beckon.db'), { home })
  const supervisor = await server.client('run')
  const run = await supervisor.runs.start({ name: 'r', command: ['x'], cwd: root, host: hostname() })
  const snapshot = { commit: then, ref: 'refs/beckon/x/y', root, head: then, branch: 'main', dirty: false, leftOut: [] }
  const { id } = await supervisor.checkpoints.save({ run: run.id, reason: 'start', snapshot })
  await supervisor.runs.change(run.id, { status: 'completed' })
  const token = await server.token('answer')
  const path = `/api/checkpoints/${id}/restore`
  const refused = `The snapshot of ${id} is not in ${root}, or not any more.`
  expect((await call(server, 'GET', path, { token })).json).toMatchObject({ files: 0, refused })
  expect((await call(server, 'POST', path, { token, body: { force: true } })).status).toBe(404)
  expect(read(root, 'a')).toBe('2\n')
})
