import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { hold, until } from './test-holder.ts'

const pty = { columns: 80, rows: 24 }

function python(script: string) {
  return { command: ['python3', '-u', '-c', `import os, select, subprocess, sys, threading, time\n${script}`] }
}

const readLine = 'print("read " + repr(os.read(0, 100)))'
const ways = [
  ['reads', ''],
  ['reads with select', 'select.select([0], [], [])'],
  ['reads with poll', 'p = select.poll(); p.register(0, select.POLLIN); p.poll()'],
  ['reads with epoll', 'p = select.epoll(); p.register(0, select.EPOLLIN); p.poll()'],
  ['reads in a thread', 't = threading.Thread(target=select.select, args=([0], [], [])); t.start(); t.join()'],
  ['lets a child read', 'subprocess.run([sys.executable, "-c", "import select; select.select([0], [], [])"])'],
  ['reads while a child works', 'child = subprocess.Popen([sys.executable, "-c", "while True: pass"])'],
] as const

const both = [['pipes', null] as const, ['a pseudo-terminal', pty] as const]

describe.skipIf(process.platform !== 'linux')('an agent that is typed to', () => {
  it.each(ways)('gets a line when it %s', async (_, wait) => {
    for (const more of [{}, { pty }]) {
      const end = wait.startsWith('child') ? 'child.kill()' : ''
      const { attach } = hold('', { ...more, ...python(`${wait}\n${readLine}\n${end}`) })
      const { link, exited, text } = await attach()
      link.from(0)
      link.type(Buffer.from('one\ntwo\n'))
      expect(await exited).toMatchObject({ code: 0 })
      expect(text()).toContain(String.raw`read b'one\n'`)
    }
  })

  it.each(both)('gets nothing while it works, and what it did not get is given back, on %s', async (_, size) => {
    const script = `
print("works")
while not os.path.exists("reads"): time.sleep(0.01)
${readLine}
`
    const { attach, folder } = hold('', { pty: size, ...python(script) })
    const { link, exited, sees } = await attach()
    link.from(0)
    await sees('works')
    link.type(Buffer.from('하나\n반'))
    expect(Buffer.from(await link.takeBack()).toString()).toBe('하나\n반')
    link.type(Buffer.from('later\n'))
    writeFileSync(join(folder, 'reads'), '')
    await sees(String.raw`read b'later\n'`)
    expect(await exited).toMatchObject({ code: 0 })
  })

  it.each(both)('gets what is typed at once when its stdin does not block, on %s', async (_, size) => {
    const script = `
os.set_blocking(0, False)
print("ready")
while True:
  try: print("read " + repr(os.read(0, 100)))
  except BlockingIOError: time.sleep(0.01)
`
    const { attach } = hold('', { pty: size, ...python(script) })
    const { link, sees } = await attach()
    link.from(0)
    await sees('ready')
    link.type(Buffer.from('one\n'))
    await sees(String.raw`read b'one\n'`)
  })

  it('gets nothing while it works, though its event loop made its stdin one that does not block', async () => {
    const script = `
os.set_blocking(0, False)
p = select.epoll()
print("works")
while not os.path.exists("reads"): time.sleep(0.01)
p.register(0, select.EPOLLIN)
p.poll()
${readLine}
`
    const { attach, folder } = hold('', python(script))
    const { link, exited, sees, state } = await attach()
    link.from(0)
    await sees('works')
    link.type(Buffer.from('one\n'))
    await until(() => state.unread === 1)
    expect(Buffer.from(await link.takeBack()).toString()).toBe('one\n')
    link.type(Buffer.from('two\n'))
    writeFileSync(join(folder, 'reads'), '')
    await sees(String.raw`read b'two\n'`)
    expect(await exited).toMatchObject({ code: 0 })
  })

  it('gets keys at once when it looks for single keys on its terminal', async () => {
    const script = `
import tty
tty.setcbreak(0)
print("ready")
while not select.select([0], [], [], 0)[0]: time.sleep(0.01)
${readLine}
`
    const { attach } = hold('', { pty, ...python(script) })
    const { link, sees } = await attach()
    link.from(0)
    await sees('ready')
    link.type(Buffer.from('k'))
    await sees("read b'k'")
  })

  it('gets keys at once when a process that is none of its children reads them', async () => {
    const script = `
import tty
tty.setraw(0)
if os.fork() == 0:
  os.setsid()
  parent = os.getpid()
  if os.fork() == 0:
    while os.getppid() == parent: time.sleep(0.01)
    print("ready")
    ${readLine}
  os._exit(0)
os.wait()
time.sleep(60)
`
    const { attach } = hold('', { pty, ...python(script) })
    const { link, sees } = await attach()
    link.from(0)
    await sees('ready')
    link.type(Buffer.from('keys\r'))
    await sees(String.raw`read b'keys\r'`)
  })

  it.each(both)(
    'gets all that is held after an empty line, once the person knows that it is held, on %s',
    async (_, size) => {
      const script = `
print("works")
while not select.select([0], [], [], 0)[0]: time.sleep(0.01)
${readLine}
`
      const { attach } = hold('', { pty: size, ...python(script) })
      const { link, sees, state } = await attach()
      link.from(0)
      await sees('works')
      for (const typed of ['one\n', '\n', 'two', '\n']) link.type(Buffer.from(typed))
      await until(() => state.unread === 1)
      link.type(Buffer.from('\n'))
      await sees(String.raw`read b'one\n\ntwo\n'`)
    },
  )

  it('gets every key on a terminal in line mode, where it waits for the end of the line', async () => {
    const { attach } = hold('stty icanon; echo ready; read -r line; echo "got $line"', { pty })
    const { link, sees } = await attach()
    link.from(0)
    await sees('ready')
    for (const key of 'keys\r') link.type(Buffer.from(key))
    await sees('got keys')
  })

  it('gets one line each time it waits, however often it is said that it may have one', async () => {
    const script = `
for i in range(200):
  read = os.read(0, 100)
  time.sleep(0.003)
  if select.select([0], [], [], 0)[0] or read.count(b"\\n") > 1: sys.exit("two at once")
`
    const { attach } = hold('', python(script))
    const { link, exited } = await attach()
    link.from(0)
    for (let i = 0; i < 201; i += 1) link.type(Buffer.from(`line ${i}\n`))
    const repeating = setInterval(() => link.pass(0))
    const exit = await exited
    clearInterval(repeating)
    expect(exit).toMatchObject({ code: 0 })
  })

  it('gets an interrupt at once, though it does not read', async () => {
    const { attach } = hold('trap "echo interrupted; exit" INT; echo ready; while true; do sleep 0.05; done', { pty })
    const { link, sees } = await attach()
    link.from(0)
    await sees('ready')
    link.press(Buffer.from('\x03'))
    await sees('interrupted')
  })

  it('gets megabytes from a pipe, and their end', async () => {
    const { attach } = hold('wc -c')
    const { link, exited, text } = await attach()
    link.from(0)
    const chunk = Buffer.alloc(64 * 1_024, 'a line of a long input\n')
    for (let i = 0; i < 100; i += 1) link.pipe(chunk)
    link.endInput()
    await exited
    expect(text().trim()).toBe(String(100 * chunk.length))
  })
})
