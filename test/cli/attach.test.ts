import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { startServer } from '../server/test-server.ts'
import { gif, html, png, pngBomb } from '../setup/pictures.ts'
import { askUserQuestion, createSandbox } from './sandbox.ts'

const shot = png(40, 30)

it('attaches files to a question, shows them, and saves them without overwriting anything', async () => {
  const { run, json, cwd, hub } = await createSandbox()
  execFileSync('git', ['-C', cwd, 'init', '-q', '-b', 'pictures'])
  writeFileSync(join(cwd, 'shot.png'), shot)
  writeFileSync(join(cwd, '..bad \u202ename.html'), html)
  const ask = [
    'ask',
    'Right?',
    '--option',
    'yes',
    '--option',
    'no',
    '--attach',
    'shot.png',
    '--attach',
    '..bad \u202ename.html',
  ]
  const { document: ticket } = await json([...ask, '--async'])
  const { attachments, agent } = await hub.get(ticket.id)
  expect(attachments).toMatchObject([
    { name: 'shot.png', type: 'image/png', width: 40, height: 30 },
    { name: '..bad \u202ename.html', type: 'text/plain' },
  ])
  expect(agent.branch).toBe('pictures')
  // The same files are the same ask; a changed one is another.
  expect((await json([...ask, '--async'])).document.id).toBe(ticket.id)
  writeFileSync(join(cwd, 'shot.png'), gif)
  expect((await json([...ask, '--async'])).document.id).not.toBe(ticket.id)

  const { stdout } = await run(['show', ticket.id])
  expect(stdout).toContain('shot.png (PNG, 40 × 30, ')
  expect(stdout).toContain('..bad \\u202ename.html (text, ')
  expect(stdout).toContain(`beckon show ${ticket.id} --save FOLDER`)
  for (const _ of ['once', 'again']) expect((await run(['show', ticket.id, '--save', 'saved'])).code).toBe(0)
  const saved = readdirSync(join(cwd, 'saved')).sort()
  expect(saved).toEqual(['2-bad_name.html', '2-shot.png', 'bad_name.html', 'shot.png'])
  expect(readFileSync(join(cwd, 'saved/2-shot.png'))).toEqual(shot)
  expect(statSync(join(cwd, 'saved/bad_name.html')).mode & 0o777).toBe(0o600)

  expect((await run(['backup', 'copy.db'])).code).toBe(0)
  const env = { BECKON_DB: join(cwd, 'copy.db') }
  expect((await run(['show', ticket.id, '--save', 'from-backup'], { env })).code).toBe(0)
  expect(readFileSync(join(cwd, 'from-backup/shot.png'))).toEqual(shot)
})

it('says which file cannot be attached and why, and asks nothing', async () => {
  const { run, cwd, hub } = await createSandbox()
  mkdirSync(join(cwd, 'folder'))
  execFileSync('mkfifo', [join(cwd, 'pipe')])
  writeFileSync(join(cwd, 'large.bin'), Buffer.alloc(5 * 1_048_576 + 1))
  writeFileSync(join(cwd, 'empty'), '')
  writeFileSync(join(cwd, 'bomb.png'), pngBomb(30_000, 30_000))
  const problems = {
    'none.png': '--attach: "none.png" does not exist.',
    folder: '--attach: "folder" is a folder; attach its files.',
    pipe: '--attach: "pipe" is not a regular file.',
    'large.bin': '--attach: "large.bin" is too large: 5242881 bytes; the most is 5 MiB.',
    empty: '--attach: "empty" is empty.',
    'bomb.png': '--attach: "bomb.png" is 30000 × 30000 pixels: at most 20000 on a side and 50 million in all.',
  }
  for (const [file, problem] of Object.entries(problems)) {
    const { code, stderr } = await run(['ask', 'Right?', '--async', '--attach', file])
    expect([code, stderr]).toEqual([1, `beckon: ${problem}\n`])
  }
  expect((await hub.list({ status: 'all' })).requests).toEqual([])
})

it('attaches through AskUserQuestion, and over HTTP to a hub elsewhere', async () => {
  const { run, cwd, hub, root } = await createSandbox()
  writeFileSync(join(cwd, 'shot.png'), shot)
  const questions = [
    {
      question: 'Which?',
      header: 'Layout',
      multiSelect: false,
      options: [
        { label: 'A', description: 'a' },
        { label: 'B', description: 'b' },
      ],
    },
  ]
  const ask = (attachments: unknown) =>
    run(['--async', JSON.stringify({ questions, attachments })], { launcher: askUserQuestion })
  const { id } = JSON.parse((await ask(['shot.png'])).stdout)
  expect((await hub.get(id)).attachments).toMatchObject([{ name: 'shot.png', type: 'image/png' }])
  expect(await ask(['none.png'])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('"none.png" does not exist'),
  })
  expect(await ask('shot.png')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('Expected array, received string'),
  })

  const server = await startServer(join(root, 'server.db'))
  const env = { BECKON_URL: server.url, BECKON_TOKEN: await server.token('ask') }
  const sent = await run(['ask', 'Right?', '--async', '--attach', 'shot.png'], { env })
  const remote = JSON.parse(sent.stdout).id
  const [file] = await server.hub.attachments.list(remote)
  expect(Buffer.from(await server.hub.attachments.read(remote, file?.id ?? ''))).toEqual(shot)
  expect((await run(['show', remote, '--save', 'elsewhere'], { env })).code).toBe(0)
  expect(readFileSync(join(cwd, 'elsewhere/shot.png'))).toEqual(shot)
})
