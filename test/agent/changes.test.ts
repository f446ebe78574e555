import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { agentArgs, createAgentScreen } from './agent-screen.ts'
import type { ScriptedReply } from './wires/wire.ts'

const before = [...Array(60).keys()].map(i => `line ${i + 1}`)

const calls: ScriptedReply[] = [
  { calls: [{ name: 'Edit', input: { path: 'a.txt', old: 'line 7\n', new: '일곱째 줄\nanother\n' } }] },
  { calls: [{ name: 'Write', input: { path: 'b.txt', content: `${before.join('\n')}\n` } }] },
]

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are control sequences
const green = /\u001b\[32m(\u001b\[49m)?\+another/

async function createChanges() {
  const screen = await createAgentScreen((_, count) => calls[count - 1] ?? { text: 'Fine.' })
  writeFileSync(join(screen.cwd, 'a.txt'), `${before.join('\n')}\n`)
  return screen
}

describe('changes of files in the transcript', () => {
  it.each([
    { columns: 40, rows: 20 },
    { columns: 100, rows: 40 },
  ])('shows a change with line numbers and signs, and folds a long one at $columns×$rows', async size => {
    const { open } = await createChanges()
    const screen = open(size, agentArgs, { PAGER: 'less -R' })
    await screen.shows('context')
    screen.type('go')
    await screen.shows('Fine.')
    const whole = screen.tmux('capture-pane', '-p', '-S', '-')
    expect(whole).toContain('● Edit a.txt  +2 −1')
    expect(whole).toMatch(/ 6 {2}line 6\n {3}7 -line 7\n {3}7 \+일곱째 줄\n {3}8 \+another\n {3}9 {2}line 8\n/)
    expect(whole).not.toContain('line 20\n  line')
    expect(whole).toMatch(/● Write b\.txt {2}\+60 −0\n {3}1 \+line 1\n/)
    expect(whole).toMatch(/20 \+line 20\n {2}… 40 more lines \(Ctrl-O or /)
    screen.press('C-o')
    await screen.shows('b.txt  +60 −0')
    screen.press('G')
    await screen.shows('60 +line 60')
    screen.press('q')
    await screen.shows(/> *\n\s+context/)
  })

  it('colours a change, but not with NO_COLOR', async () => {
    const { open } = await createChanges()
    const coloured = open()
    await coloured.shows('tokens in')
    coloured.type('go')
    await coloured.shows('+another')
    expect(coloured.tmux('capture-pane', '-p', '-e')).toMatch(green)
    const bare = (await createChanges()).open({}, agentArgs, { NO_COLOR: '1' })
    await bare.shows('tokens in')
    bare.type('go')
    await bare.shows('+another')
    expect(bare.tmux('capture-pane', '-p', '-e')).not.toMatch(green)
  })

  it('prints a change in plain lines on a dumb terminal', async () => {
    const { open } = await createChanges()
    const screen = open({}, [...agentArgs, '--plain'])
    await screen.shows('tokens in')
    screen.type('go')
    await screen.shows('Fine.')
    const shown = screen.tmux('capture-pane', '-p', '-e')
    expect(shown).toMatch(
      /Done: Edit a\.txt\n {2}@@ -4,7 \+4,8 @@\n[\s\S]* {2}-line 7\n {2}\+일곱째 줄\n {2}\+another\n/,
    )
    expect(shown).toContain('… 41 more lines (/show)')
    expect(shown).not.toContain('\u001b')
  })
})
