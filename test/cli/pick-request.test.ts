import { expect, it } from 'vitest'
import { createSandbox } from './sandbox.ts'
import { dumbTerminal, terminal } from './tmux.ts'

const yesNo = ['yes', 'no']

async function withTwoRequests() {
  const sandbox = await createSandbox()
  const ship = await sandbox.ask({ questions: [{ question: 'Ship it?', options: yesNo }] })
  const paint = await sandbox.ask({ questions: [{ question: 'Paint it blue?', options: yesNo }], required: false })
  return { sandbox, ship, paint }
}

it('answers the request that a person picks by typing a part of it', async () => {
  const { sandbox, ship, paint } = await withTwoRequests()
  const here = terminal(sandbox, ['answer'])
  await here.shows('Which request?')
  await here.shows(ship.id.slice(-5))
  here.write('blu')
  await here.shows(/❯ .*Paint it blue\?/)
  here.press('Enter')
  await here.shows('Tab note')
  here.write('2')
  here.press('Enter')
  await here.end()
  expect((await sandbox.hub.get(paint.id)).outcome?.answers[0]?.selected).toEqual(['no'])
  expect((await sandbox.hub.get(ship.id)).status).toBe('pending')
})

it('waits for another filter where nothing matches', async () => {
  const { sandbox, paint } = await withTwoRequests()
  const here = terminal(sandbox, ['skip'])
  await here.shows('Which request?')
  here.write('nothing like it')
  await here.shows('Nothing matches.')
  here.press('Enter', 'Down', 'C-u')
  await here.shows(/❯ .*Ship it\?/)
  here.write('blue')
  await here.shows(/❯ .*Paint it blue\?/)
  here.press('Enter')
  expect((await here.end()).code).toBe(0)
  expect((await sandbox.hub.get(paint.id)).status).toBe('skipped')
})

it('suspends with Ctrl-Z, and comes back with the filter', async () => {
  const { sandbox, paint } = await withTwoRequests()
  const here = terminal(sandbox, ['skip'])
  await here.shows('Which request?')
  here.write('blu')
  await here.shows(/❯ .*Paint it blue\?/)
  here.press('C-z')
  await here.shows(/Stopped[\s\S]*Which request\?/)
  here.write('e')
  await here.shows('  blue\n')
  here.press('Enter')
  expect((await here.end()).code).toBe(0)
  expect((await sandbox.hub.get(paint.id)).status).toBe('skipped')
})

it('skips, with the arrows, and on a terminal of twenty lines', async () => {
  const { sandbox, paint } = await withTwoRequests()
  const here = terminal(sandbox, ['skip'], {}, { columns: 40, rows: 20 })
  await here.shows('Which request?')
  await here.shows(/Enter choose · Esc leave$/m)
  here.press('Down', 'Enter')
  expect((await here.end()).code).toBe(0)
  expect((await sandbox.hub.get(paint.id)).status).toBe('skipped')
})

it('takes a number on a terminal that cannot draw, and changes nothing when nothing is picked', async () => {
  const { sandbox, ship } = await withTwoRequests()
  const dumb = dumbTerminal(sandbox, ['show'])
  await dumb.shows('Enter a number')
  dumb.type('1')
  expect((await dumb.end()).stdout).toContain(ship.id)
  const left = terminal(sandbox, ['decline', '--reason', 'no'])
  await left.shows('Which request?')
  left.press('Escape')
  expect((await left.end()).code).toBe(1)
  expect((await sandbox.hub.get(ship.id)).status).toBe('pending')
})

it('is a usage error off a terminal that names the list', async () => {
  const { run } = await createSandbox()
  for (const command of ['answer', 'show', 'skip', 'cancel']) {
    expect(await run([command])).toEqual({
      code: 1,
      stdout: '',
      stderr: `beckon: missing required argument 'id'. Give the id of a request, from: beckon list. See: beckon ${command} --help\n`,
    })
  }
})
