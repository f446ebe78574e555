import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createSandbox, type Sandbox, until } from './sandbox.ts'
import { terminal } from './tmux.ts'

const ready = 'leave open'

describe('writing an answer in an editor of your own', () => {
  it('takes what was saved there, and removes the file', async () => {
    const sandbox = await createSandbox()
    const script = ['printf "%s" "$2" >path', 'stat -c %a "$2" >mode', 'printf "in %s\\n한글\\n" "$1" >>"$2"']
    const { shows, write, press, end } = ask(sandbox, `${editor(sandbox, script)} two`)
    await shows(ready)
    write('One line, ')
    press('C-g')
    await shows(/One line, in two\n.*한글\n/)
    const path = readFileSync(join(sandbox.cwd, 'path'), 'utf8')
    expect(existsSync(path)).toBe(false)
    expect(readFileSync(join(sandbox.cwd, 'mode'), 'utf8').trim()).toBe('600')
    press('C-_')
    await shows(/One line, *$/m)
    press('C-g')
    await shows('한글')
    press('Enter')
    expect(await end()).toEqual({ code: 0, stdout: 'One line, in two\n한글\n' })
  })

  it('keeps the text and says why, if the editor fails or there is none', async () => {
    const sandbox = await createSandbox()
    const failing = ask(sandbox, editor(sandbox, ['echo lost >"$1"', 'exit 3']))
    await failing.shows(ready)
    failing.write('kept')
    failing.press('C-g')
    await failing.shows('ended with exit code 3. Your text is unchanged.')
    failing.press('Enter')
    expect(await failing.end()).toEqual({ code: 0, stdout: 'kept\n' })
    const without = ask(sandbox, '')
    await without.shows(ready)
    without.press('C-g')
    await without.shows('Set $VISUAL or $EDITOR')
  })

  it('closes the editor when somebody else answers', async () => {
    const sandbox = await createSandbox()
    const { shows, press, end } = ask(
      sandbox,
      editor(sandbox, ['echo $$ >pid', 'echo open >/dev/tty', 'exec sleep 60']),
    )
    await shows(ready)
    press('C-g')
    await shows('open')
    await sandbox.hub.answer((await sandbox.pending()).id, { value: 'elsewhere', by: 'colleague', channel: 'web' })
    expect(await end()).toEqual({ code: 0, stdout: 'elsewhere\n' })
    const pid = readFileSync(join(sandbox.cwd, 'pid'), 'utf8').trim()
    await until(() => !existsSync(`/proc/${pid}`), 'the end of the editor')
  })
})

function ask(sandbox: Sandbox, command: string) {
  return terminal(sandbox, ['ask', 'Describe it'], { VISUAL: command, EDITOR: '' })
}

function editor({ cwd }: Sandbox, lines: string[]): string {
  const file = join(cwd, 'editor')
  writeFileSync(file, `#!/bin/sh\n${lines.join('\n')}\n`)
  chmodSync(file, 0o755)
  return file
}
