import { describe, expect, it } from 'vitest'
import { shortIds } from '../../src/rules/short-ids.ts'
import { createLog } from '../../src/server/log.ts'
import { serve } from '../../src/server/serve.ts'
import { runHere } from './program.ts'
import { createSandbox, launcher, type Sandbox } from './sandbox.ts'
import { terminal } from './tmux.ts'

const shipIt = { questions: [{ question: 'Ship it?', options: ['yes', 'no'] }] }

/** The commands here, or with a server between. */
const places: Record<string, (sandbox: Sandbox) => Promise<NodeJS.ProcessEnv>> = {
  'this home': async ({ home }) => ({ BECKON_HOME: home, BECKON_USER: 'person' }),
  'a server': async ({ hub, home, atEnd }) => {
    const served = await serve({ hub: hub as never, log: createLog('silent'), version: '0', port: 0 })
    atEnd(() => served.close())
    const { secret } = await hub.tokens.create({ scope: 'answer', name: 'person' })
    return { BECKON_HOME: home, BECKON_URL: served.url, BECKON_TOKEN: secret }
  },
}

describe.each(Object.keys(places))('the end of an id, with %s', place => {
  async function begin() {
    const sandbox = await createSandbox()
    const env = (await places[place]?.(sandbox)) ?? {}
    return { ...sandbox, run: (...args: string[]) => runHere(args, { cwd: sandbox.cwd, env }) }
  }

  it('is enough to show, answer, skip, decline, reply to, wait for and cancel a request', async () => {
    const { ask, run, hub } = await begin()
    const raise = async () => (await ask({ ...shipIt, required: false, key: String(Math.random()) })).id
    const short = (id: string) => id.slice(-6)
    const id = await raise()
    expect((await run('show', short(id))).stdout).toContain(id)
    expect((await run('answer', short(id), '2')).code).toBe(0)
    expect((await hub.get(id)).outcome?.answers[0]?.selected).toEqual(['no'])
    expect((await run('wait', short(id).toUpperCase())).stdout).toBe('no\n')
    const status = async (id: string, ...args: string[]) => {
      const { code } = await run(...args)
      return [code, (await hub.get(id)).status]
    }
    const [skipped, declined, cancelled] = [await raise(), await raise(), await raise()]
    expect(await status(skipped, 'skip', short(skipped))).toEqual([0, 'skipped'])
    expect(await status(declined, 'decline', short(declined), '--reason', 'no')).toEqual([0, 'declined'])
    expect(await status(cancelled, 'cancel', short(cancelled))).toEqual([0, 'cancelled'])
  })

  it('is enough for a run, also as the value of a flag', async () => {
    const { ask, run, hub, cwd } = await begin()
    const { id } = await hub.runs.start({ command: ['agent'], name: 'painter', cwd })
    const request = await ask({ ...shipIt, run: id })
    const short = id.slice(-7)
    expect((await run('runs', 'show', short)).stdout).toContain('painter')
    expect((await run('list', '--run', short)).stdout).toContain(request.id)
    expect((await run('answer', request.id.slice(-7), 'yes', '--run', short)).code).toBe(0)
    expect((await run('runs', 'stop', short)).stderr).toBe(`${id} is stopped.\n`)
  })

  it('that several requests have is refused with their titles, and nothing is settled', async () => {
    const { ask, run, hub } = await begin()
    const asked = new Map<string, string[]>()
    // Among a few hundred, two end alike.
    for (let n = 0; ![...asked.values()].some(ids => ids.length > 1); n += 1) {
      const { id } = await ask({ questions: [{ question: `Paint number ${n}?` }] })
      asked.set(id.slice(-3), [...(asked.get(id.slice(-3)) ?? []), id])
    }
    const [end = '', ids = []] = [...asked].find(([, ids]) => ids.length > 1) ?? []
    const { code, stdout, stderr } = await run('answer', end, 'blue', '--json')
    expect(code).toBe(1)
    expect(stderr).toContain(`beckon: 2 requests end with ${end}. Give more of the id.\n`)
    for (const id of ids) expect(stderr).toMatch(new RegExp(`^  ${id}  pending  Paint number \\d+\\?$`, 'm'))
    expect(JSON.parse(stdout).error).toMatchObject({ code: 'invalid', details: { candidates: [{}, {}] } })
    for (const id of ids) expect((await hub.get(id)).status).toBe('pending')
  })

  it('of nothing is refused with what lists everything', async () => {
    const { run } = await begin()
    expect(await run('answer', 'zzzzz', 'yes')).toEqual({
      code: 4,
      stdout: '',
      stderr: 'beckon: There is no request zzzzz. To see which there are: beckon list --all\n',
    })
    expect((await run('runs', 'logs', 'zzzzz')).stderr).toContain(
      'There is no run zzzzz. To see which there are: beckon runs',
    )
  })
})

describe('a list', () => {
  it('shows the ends of ids on a terminal, and whole ids elsewhere', async () => {
    const sandbox = await createSandbox()
    const { id } = await sandbox.ask(shipIt)
    const run = await sandbox.hub.runs.start({ command: ['agent'], name: 'painter', cwd: sandbox.cwd })
    const here = terminal(
      sandbox,
      ['-c', '"$0" "$1" list >/dev/tty; "$0" "$1" runs >/dev/tty', process.execPath, launcher],
      {},
      { interpreter: 'bash' },
    )
    await here.shows('painter')
    expect(here.screen()).toMatch(new RegExp(`^${id.slice(-5)}  .*Ship it\\?$`, 'm'))
    expect(here.screen()).toMatch(new RegExp(`^${run.id.slice(-5)}  .*painter`, 'm'))
    expect(here.screen()).not.toContain(id)
    expect((await sandbox.run(['list'])).stdout).toContain(id)
  })

  it('shows as much of them as tells them apart', () => {
    expect(shortIds(['req_aaaab12345', 'req_aaaac12346'])).toEqual(['12345', '12346'])
    expect(shortIds(['req_aaaab12345', 'req_aaaac12345'])).toEqual(['b12345', 'c12345'])
    expect(shortIds(['req_1', 'req_2'])).toEqual(['1', '2'])
    expect(shortIds([])).toEqual([])
  })
})
