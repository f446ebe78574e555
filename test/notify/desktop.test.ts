import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { type Message, testMessage } from '../../src/notify/message.ts'
import { openChannel } from '../../src/notify/open-channel.ts'
import { databases, temporaryFolder } from '../setup/databases.ts'
import { openTestHub, shipIt, until } from './test-hub.ts'

/** A folder with one program, which notes how it was called and does what the script says. */
function fakeProgram(name: string, script = 'echo 42') {
  const folder = temporaryFolder()
  const bin = join(folder, 'bin')
  mkdirSync(bin)
  const program = join(bin, name)
  const note = `for word in "$@"; do printf '%s\\0' "$word"; done >> ${folder}/args; printf '\\n\\0' >> ${folder}/args`
  const toast = `printf '%s\\0%s\\0%s' "$BECKON_TOAST_TITLE" "$BECKON_TOAST_BODY" "$BECKON_TOAST_TAG" > ${folder}/toast`
  writeFileSync(program, `#!/bin/sh\n${note}\n${toast}\n${script}\n`)
  chmodSync(program, 0o700)
  const read = (file: string) => (existsSync(join(folder, file)) ? readFileSync(join(folder, file), 'utf8') : '')
  return {
    env: { PATH: `${bin}:/usr/bin:/bin` },
    calls: () =>
      read('args')
        .split('\n\0')
        .slice(0, -1)
        .map(words => words.split('\0').slice(0, -1)),
    toast: () => read('toast').split('\0'),
    input: () => read('input'),
    folder,
  }
}

const hostile = '--icon=/etc/passwd <b>$(touch owned)</b> "; do shell script "x" & `id`'
const inbox = 'https://beckon.example'

function message(differs: Partial<Message> = {}): Message {
  const test = testMessage('m', 0, { inbox, host: 'devbox' })
  return { ...test, subject: 'req_1', heading: 'question', title: hostile, ...differs }
}

function openDesktop(platform: NodeJS.Platform, env: NodeJS.ProcessEnv) {
  const options = { inbox, now: Date.now, pushKeys: () => Promise.reject(new Error('none')), platform, env }
  return openChannel({ kind: 'desktop', name: 'desktop' }, options)
}

it('shows a notification with notify-send, and replaces it once settled', async () => {
  const { env, calls } = fakeProgram('notify-send')
  const desktop = openDesktop('linux', env)
  const sent = await desktop.send(message({ urgency: 'high' }))
  expect(sent).toEqual({ result: 'delivered', finding: 'shown on the desktop', reply: '', handle: '42' })
  const settled = message({ settlement: 'Answered by ana', title: 'Ship it?', urgency: 'low' })
  expect(await desktop.update?.('42', settled)).toMatchObject({ result: 'delivered', handle: '42' })
  const escaped = hostile.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
  const options = ['--app-name=Beckon', '--urgency=critical', '--print-id', '--']
  expect(calls()).toEqual([
    [...options, 'Beckon: question', `${escaped}\nOn: devbox\n${inbox}`],
    [
      '--app-name=Beckon',
      '--urgency=low',
      '--print-id',
      '--replace-id=42',
      '--',
      'Beckon: question',
      'Answered by ana: Ship it?',
    ],
  ])
})

it('does without what an old notify-send does not know, and says why one fails', async () => {
  const old = fakeProgram(
    'notify-send',
    'case "$*" in *--print-id*) echo "Unknown option --print-id" >&2; exit 1;; esac',
  )
  expect(await openDesktop('linux', old.env).send(message())).toMatchObject({ result: 'delivered', handle: null })
  const broken = fakeProgram('notify-send', 'echo "Cannot autolaunch D-Bus" >&2; exit 1')
  const finding = 'notify-send failed: Cannot autolaunch D-Bus'
  expect(await openDesktop('linux', broken.env).send(message())).toMatchObject({ result: 'refused', finding })
  const none = await openDesktop('linux', { PATH: temporaryFolder() }).send(message())
  expect(none).toMatchObject({ result: 'refused', finding: 'notify-send is not installed' })
})

it('passes the text to osascript as arguments of a fixed script', async () => {
  const { env, calls, folder } = fakeProgram('osascript')
  writeFileSync(join(folder, 'bin/osascript'), `${readFileSync(join(folder, 'bin/osascript'))}cat > ${folder}/input\n`)
  expect(await openDesktop('darwin', env).send(message())).toMatchObject({ result: 'delivered', handle: null })
  expect(calls()).toEqual([['-', 'Beckon: question', hostile, `On: devbox\n${inbox}`]])
  expect(readFileSync(join(folder, 'input'), 'utf8')).not.toContain('owned')
})

it('passes the text to PowerShell in variables, with a tag that later ones replace it by', async () => {
  const { env, calls, toast } = fakeProgram('powershell.exe')
  expect(await openDesktop('win32', env).send(message())).toMatchObject({ result: 'delivered', handle: 'req_1' })
  const script = Buffer.from(calls()[0]?.at(-1) ?? '', 'base64').toString('utf16le')
  expect(script).toContain('CreateTextNode($env:BECKON_TOAST_BODY)')
  expect(script).not.toContain('owned')
  expect(toast()).toEqual(['Beckon: question', `${hostile}\nOn: devbox\n${inbox}`, 'req_1'])
})

it.each(databases)('is shown by the server on its own machine and by no other, on $name', async ({ fresh }) => {
  const { env, calls } = fakeProgram('notify-send')
  const { hub, send } = await openTestHub(await fresh())
  const { target, warning } = await hub.targets.add({ kind: 'desktop' })
  expect(warning).toBeNull()
  const elsewhere = send({ host: 'elsewhere', env })
  await hub.raise(shipIt)
  await until(async () => (await hub.outbox.waiting()) === 1, 'the other server saw it')
  expect(elsewhere.counts.sent).toBe(0)
  const here = send({ host: target.address, env })
  await until(() => here.counts.sent === 1, 'it was shown')
  expect(calls()).toHaveLength(1)
  expect(elsewhere.counts.sent).toBe(0)
})
