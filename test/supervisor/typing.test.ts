import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { hold } from './test-holder.ts'

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

  it.each([['pipes', null] as const, ['a pseudo-terminal', pty] as const])(
    'gets nothing while it works, and what it did not get is given back, on %s',
    async (_, size) => {
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
