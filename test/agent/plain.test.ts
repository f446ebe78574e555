import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { bash, createAgentScreen, saidIn, waitForFile } from './agent-screen.ts'
import { resultsIn } from './model-server.ts'

describe('the agent in plain lines', () => {
  it.each([
    { columns: 40, rows: 20 },
    { columns: 100, rows: 40 },
  ])('queues what is typed while it works, and sends it between two calls at $columns×$rows', async size => {
    const { server, openDumb, release } = await createAgentScreen((_, count) =>
      count === 1 ? waitForFile : { text: 'Both are done.' },
    )
    const screen = openDumb(size)
    await screen.shows('> ')
    screen.type('first')
    await screen.shows('Started: Bash')
    screen.type('문서도 고쳐줘')
    await screen.shows('Queued: 문서도 고쳐줘')
    screen.paste('one\ntwo\n')
    await screen.shows('Queued: one two')
    screen.write('half')
    expect(server.log).toHaveLength(1)
    release()
    await screen.shows('Both are done.')
    await screen.shows(/\)\n> half$/m)
    expect(resultsIn(server.log[1] as never)[0]).toContain('finished')
    expect(saidIn(server.log[1])).toEqual(['first', '문서도 고쳐줘', 'one\ntwo'])
    screen.type(' a thought')
    await screen.shows(/Both are done[\s\S]*Both are done/)
    expect(saidIn(server.log[2]).at(-1)).toBe('half a thought')
    expect(server.violations).toEqual([])
  })

  it('keeps queued messages after a stop until the person presses Enter', async () => {
    const { server, openDumb } = await createAgentScreen((_, count) =>
      count === 1 ? bash('echo started; sleep 60') : { text: `reply number ${count}` },
    )
    const screen = openDumb()
    await screen.shows('> ')
    screen.type('wait')
    await screen.shows('Started: Bash')
    screen.type('later')
    await screen.shows('Queued: later')
    screen.press('C-c')
    await screen.shows('Stopped. The conversation is kept.')
    await screen.shows('Enter sends what is queued')
    expect(server.log).toHaveLength(1)
    screen.press('Enter')
    await screen.shows('reply number 2')
    expect(saidIn(server.log[1]).at(-1)).toBe('later')
  })

  it('suspends with Ctrl-Z while it works, and comes back with the text', async () => {
    const { server, openDumb, release } = await createAgentScreen((_, count) =>
      count === 1 ? waitForFile : { text: `reply number ${count}` },
    )
    const screen = openDumb()
    await screen.shows('> ')
    screen.type('work')
    await screen.shows('Started: Bash')
    screen.write('more')
    screen.press('C-z')
    await screen.shows(/Stopped[\s\S]*more$/m)
    screen.type(' of it')
    await screen.shows('Queued: more of it')
    release()
    await screen.shows('reply number 2')
    expect(saidIn(server.log[1])).toEqual(['work', 'more of it'])
  })

  it('knows a paste from typed lines in every turn', async () => {
    const { server, openDumb } = await createAgentScreen(seen =>
      seen.items.at(-1)?.type === 'result' || saidIn(seen).length < 3
        ? { text: `reply number ${saidIn(seen).length}` }
        : bash('git push --force'),
    )
    const screen = openDumb()
    for (const n of [1, 2]) {
      await screen.shows(new RegExp(`, ${n - 1}0? out, cost unknown\\)\n> *$`, 'm'))
      screen.paste(`one ${n}\ntwo ${n}\n`)
      await screen.shows(new RegExp(`two ${n}\n+2 lines\\. Press Enter to send them`))
      screen.press('Enter')
      await screen.shows(`reply number ${n}`)
    }
    expect(saidIn(server.log[1])).toEqual(['one 1\ntwo 1', 'one 2\ntwo 2'])
    await screen.shows(/, 20 out, cost unknown\)\n> *$/m)
    screen.type('push')
    await screen.shows('Enter number: ')
    screen.paste('yes\nyes\n')
    await screen.shows('pasted or piped input does not count')
    expect(server.log).toHaveLength(3)
  })

  it('says what was decided before what came of it', async () => {
    const { cwd, openDumb } = await createAgentScreen((_, count) =>
      count === 1 ? bash('rm -rf old') : { text: 'All is well.' },
    )
    mkdirSync(join(cwd, 'old'))
    const screen = openDumb()
    await screen.shows('> ')
    screen.type('go')
    await screen.shows('Enter number: ')
    screen.type('yes')
    await screen.shows('All is well.')
    await screen.shows(/^✔ Approved: rm -rf old\n+Done: Bash rm -rf old\n/m)
  })
})
