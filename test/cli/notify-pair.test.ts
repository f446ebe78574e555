import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { startFakeTelegram } from '../chat/fake-telegram.ts'
import { createSandbox, until } from './sandbox.ts'

const ana = { id: 1001, first_name: 'Ana', username: 'ana_t' }

it('answers a script from Telegram: add, pair, serve, ask, press; and unpair', async () => {
  const sandbox = await createSandbox()
  const telegram = await startFakeTelegram()
  const token = join(sandbox.root, 'token')
  writeFileSync(token, `${telegram.token}\n`)
  expect(await sandbox.run(['notify', 'add', 'telegram', telegram.url, '--secret-from', token])).toMatchObject({
    code: 0,
    stderr: expect.stringMatching(/^Added target "telegram". .* pairs: beckon notify pair telegram\nWarning: /),
  })
  expect(await sandbox.run(['notify', 'test', 'telegram'])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('beckon notify pair telegram'),
  })
  const server = sandbox.start(['serve', '--port', '0', '--no-link'])
  const pairing = sandbox.start(['notify', 'pair', 'telegram'])
  const code = await until(() => /\/pair ([\w-]+)/.exec(pairing.written().stdout)?.[1], 'the code')
  telegram.write(ana, `/pair ${code}`)
  expect(await pairing.result).toMatchObject({
    code: 0,
    stderr: expect.stringContaining('Paired: @ana_t answers as person from now on.'),
  })
  expect(pairing.written().stdout).toContain('https://t.me/beckon_test_bot?start=')

  const asking = sandbox.start(['ask', 'Ship it?', '--option', 'yes', '--option', 'no', '--json'])
  const message = await telegram.until(() => telegram.messages.find(({ text }) => text.includes('Ship it?')), 'it asks')
  telegram.press(ana, message, 'yes')
  const { code: exit, stdout } = await asking.result
  expect([exit, JSON.parse(stdout)]).toMatchObject([0, { value: 'yes', by: 'person', channel: 'telegram' }])
  await telegram.until(() => /Answered by person/.test(message.text), 'the message says who answered')

  const { stdout: listed } = await sandbox.run(['notify', 'pairs'])
  expect(listed).toMatch(/^ID +TARGET +ACCOUNT +ANSWERS AS +SINCE\npair_\w+ +telegram +@ana_t +person +\d{4}-/)
  const [id = ''] = /pair_\w+/.exec(listed) ?? []
  expect((await sandbox.run(['notify', 'unpair', id], { env: { CLAUDECODE: '1' } })).code).toBe(5)
  expect((await sandbox.run(['notify', 'pair', 'telegram'], { env: { CLAUDECODE: '1' } })).code).toBe(5)
  expect(await sandbox.run(['notify', 'unpair', id])).toMatchObject({
    code: 0,
    stderr: '@ana_t no longer answers as person.\n',
  })
  expect((await sandbox.run(['notify', 'unpair', id])).code).toBe(4)
  server.child.kill('SIGTERM')
  expect(await server.result).toMatchObject({ code: 0, stderr: '' })
})
