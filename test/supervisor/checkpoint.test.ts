import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { openHub } from '../../src/open-hub.ts'
import type { HubApi } from '../../src/protocol/index.ts'
import { phaseStart, takeCheckpoint } from '../../src/supervisor/checkpoint/checkpoint.ts'
import { until } from '../cli/sandbox.ts'
import { temporaryFolder } from '../setup/databases.ts'
import { asUnprivilegedUser, contents, everything, git, repository, write } from './repositories.ts'

const hubs: HubApi[] = []
const path = process.env.PATH
afterEach(async () => {
  process.env.PATH = path
  await Promise.all(hubs.splice(0).map(hub => hub.close()))
})

async function runIn(cwd: string) {
  const hub = await openHub({ database: join(temporaryFolder(), 'beckon.db'), env: {} })
  hubs.push(hub)
  return { hub, run: await hub.runs.start({ command: ['agent', '--go'], cwd }) }
}

function refs(root: string): string[] {
  return git(root, 'for-each-ref', '--format=%(refname)', 'refs/beckon/').split('\n').slice(0, -1)
}

/** Puts a script in front of the real git until the test ends. */
function replaceGit(script: string): string {
  const folder = temporaryFolder()
  const real = (path ?? '').split(delimiter).find(folder => existsSync(join(folder, 'git')))
  writeFileSync(join(folder, 'git'), `#!/bin/sh\nreal=${real}/git\nfolder=${folder}\n${script}`)
  chmodSync(join(folder, 'git'), 0o755)
  process.env.PATH = `${folder}${delimiter}${path}`
  return folder
}

describe('taking a checkpoint', () => {
  it('stores the files and the state of the run, and changes nothing', async () => {
    const root = repository({ a: '1', 'sub/b': '1' })
    write(root, { a: '2', new: '3' })
    const { hub, run } = await runIn(join(root, 'sub'))
    const { id } = await hub.raise({ run: run.id, questions: [{ question: 'Go on?' }] })
    const before = everything(root)
    const taken = await takeCheckpoint({ hub, run, reason: 'request', requests: [id], session: 's', logPosition: 17 })
    expect(everything(root)).toEqual(before)
    expect(taken).toMatchObject({ reason: 'request', requests: [id], session: 's', logPosition: 17, note: null })
    expect(taken.snapshot).toMatchObject({ root, branch: 'main', dirty: true, leftOut: [] })
    expect(contents(root, taken.snapshot)).toEqual({ a: '2', 'sub/b': '1', new: '3' })
    expect(refs(root)).toEqual([taken.snapshot?.ref])
    expect(await hub.checkpoints.list(run.id)).toEqual([taken])
  })

  it('stores the names of environment variables, and no values', async () => {
    const { hub, run } = await runIn(temporaryFolder())
    const env = { TOKEN: 'hunter2', PATH: '/bin', 'BASH_FUNC_f%%': '() { :; }', '=C:': 'x', 'two\nlines': 'x' }
    const taken = await takeCheckpoint({ hub, run, reason: 'pause', env })
    expect(taken.environment).toEqual(['BASH_FUNC_f%%', 'PATH', 'TOKEN'])
    expect(JSON.stringify(await hub.checkpoints.list(run.id))).not.toContain('hunter2')
  })

  it('makes a new snapshot only if something has changed', async () => {
    const root = repository({ a: '1' })
    write(root, { a: '2' })
    const { hub, run } = await runIn(root)
    const first = await takeCheckpoint({ hub, run, reason: 'request' })
    const same = await takeCheckpoint({ hub, run, reason: 'request' })
    expect(same.id).not.toBe(first.id)
    expect(same.snapshot).toEqual(first.snapshot)
    expect(refs(root)).toHaveLength(1)
    write(root, { a: '3' })
    const changed = await takeCheckpoint({ hub, run, reason: 'request' })
    expect(contents(root, changed.snapshot)).toEqual({ a: '3' })
    expect(contents(root, first.snapshot)).toEqual({ a: '2' })
    git(root, 'switch', '-q', '-c', 'other')
    const elsewhere = await takeCheckpoint({ hub, run, reason: 'request' })
    expect(elsewhere.snapshot).toMatchObject({ branch: 'other' })
    expect(refs(root)).toHaveLength(3)
  })

  it('finds the snapshot at which a phase began', async () => {
    const root = repository({ a: '1' })
    const { hub, run } = await runIn(root)
    expect(await phaseStart(hub, run.id)).toBeNull()
    const start = await takeCheckpoint({ hub, run, reason: 'start' })
    write(root, { a: '2' })
    await takeCheckpoint({ hub, run, reason: 'request' })
    expect(await phaseStart(hub, run.id)).toEqual(start.snapshot)
    const phase = await takeCheckpoint({ hub, run, reason: 'phase' })
    write(root, { a: '3' })
    await takeCheckpoint({ hub, run, reason: 'request' })
    expect(await phaseStart(hub, run.id)).toEqual(phase.snapshot)
  })

  it('does not reuse a deleted snapshot', async () => {
    const root = repository({ a: '1' })
    const { hub, run } = await runIn(root)
    const first = await takeCheckpoint({ hub, run, reason: 'request' })
    git(root, 'update-ref', '-d', first.snapshot?.ref ?? '')
    const second = await takeCheckpoint({ hub, run, reason: 'request' })
    expect(refs(root)).toEqual([second.snapshot?.ref])
  })

  it('works without files if there is no repository', async () => {
    const { hub, run } = await runIn(temporaryFolder())
    expect(await takeCheckpoint({ hub, run, reason: 'demand' })).toMatchObject({ snapshot: null, note: null })
    const gone = { ...run, cwd: join(temporaryFolder(), 'gone') }
    expect(await takeCheckpoint({ hub, run: gone, reason: 'demand' })).toMatchObject({ snapshot: null, note: null })
  })

  it('works without files if they cannot be stored, and notes why', async () => {
    const root = repository({ a: '1' })
    const { hub, run } = await runIn(root)
    await asUnprivilegedUser(root, async () => {
      const { snapshot, note } = await takeCheckpoint({ hub, run, reason: 'request', note: 'So it is.' })
      expect(snapshot).toBeNull()
      expect(note).toMatch(/^So it is\. Without a snapshot of the files: .+\.$/)
    })
  })

  it('does not wait for a git that hangs, and kills it', async () => {
    const root = repository({ a: '1' })
    const { hub, run } = await runIn(root)
    const folder = replaceGit('echo $$ >$folder/pid\nexec sleep 600\n')
    const taken = await takeCheckpoint({ hub, run, reason: 'request', timeout: 1_500 })
    expect(taken).toMatchObject({ snapshot: null, note: 'Without a snapshot of the files: it took longer than 1.5 s.' })
    const pid = readFileSync(join(folder, 'pid'), 'utf8').trim()
    await until(() => !existsSync(`/proc/${pid}`), 'git to end')
  })

  it('continues where it was cancelled', async () => {
    const root = repository({ a: '1' })
    mkdirSync(join(root, 'many'))
    for (let i = 0; i < 5_500; i += 1) writeFileSync(join(root, 'many', String(i)), String(i))
    const { hub, run } = await runIn(root)
    // The second batch of files hangs.
    const folder = replaceGit(`case "$*" in *update-index*--stdin)
  echo >>$folder/portions
  if [ "$(wc -l <$folder/portions)" -eq 2 ]; then : >$folder/hangs; exec sleep 600; fi;;
esac
exec "$real" "$@"\n`)
    const controller = new AbortController()
    const taking = takeCheckpoint({ hub, run, reason: 'demand', signal: controller.signal })
    await until(() => existsSync(join(folder, 'hangs')), 'the second batch')
    controller.abort()
    expect(await taking).toMatchObject({ snapshot: null, note: 'Without a snapshot of the files: it was cancelled.' })
    const index = join(root, '.git/beckon/index')
    await until(() => existsSync(index), 'the index of the first batch')
    process.env.PATH = path
    process.env.GIT_INDEX_FILE = index
    const kept = git(root, 'ls-files', '-z').split('\0').length - 1
    delete process.env.GIT_INDEX_FILE
    expect(kept).toBe(5_000)
    const taken = await takeCheckpoint({ hub, run, reason: 'demand' })
    expect(git(root, 'ls-tree', '-r', '-z', taken.snapshot?.commit ?? '').split('\0')).toHaveLength(5_502)
  }, 120_000)
})
