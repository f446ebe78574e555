import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { agentArgs, bash, createAgentScreen } from './agent-screen.ts'
import { sitDown } from './day/person.ts'
import type { ScriptedReply } from './wires/wire.ts'

const call = (name: string, input: object, text = '') => ({ text, calls: [{ name, input }] })
const questions = [
  { question: 'Which database should it use?', header: 'DB', options: ['SQLite', 'PostgreSQL'] },
  { question: '어느 지역인가요?', header: '지역', options: ['서울', '부산'] },
]
const replies: ScriptedReply[] = [
  { text: 'Good morning.' },
  call('AskUserQuestion', { questions }, 'I have *two* questions before I begin, and both of them matter.'),
  call('Edit', { path: 'notes.txt', old: 'two', new: 'zwei' }),
  bash('rm -rf old notes'),
  call('Agent', { name: 'helper', task: 'Help.' }),
  // Those of the sub-agent.
  call('AskUserQuestion', { question: 'How?' }),
  call('Write', { path: 'help.txt', content: 'help\n' }),
  { text: 'I have helped.' },
  call('AskUserQuestion', { question: 'Why?', context: 'There is **much** to read.' }),
  bash('rm -rf everything'),
  { text: 'I say something, and much more that nobody reads.', pause: 400 },
]
// Wider than the screen.
const message = 'replace the second line of the notes, and then remove what nobody has used for a year'

it('shows the last screen of a conversation again as it was', { timeout: 60_000 }, async () => {
  const sandbox = await createAgentScreen((_, count) => replies[count - 1] ?? { text: 'Too late.' })
  const open = (args: string[]) =>
    sitDown(sandbox, [...agentArgs, ...args], sandbox.server.env, { columns: 60, rows: 60 })
  writeFileSync(join(sandbox.cwd, 'notes.txt'), 'one\ntwo\nthree\n')
  const person = open(['hello'])
  await person.shows(/leaves\.\n\n> hello\n\nGood morning\.[\s\S]*100 tokens in/)
  person.paste(Array.from({ length: 30 }, (_, i) => `line ${i}`).join('\n'), { marked: true })
  await person.shows('[30 lines pasted]')
  person.write(message)
  await person.shows(message.slice(-20))
  person.press('Enter')
  await person.choose('SQLite')
  await person.choose('서울')
  await person.shows('Send these answers')
  person.press('Enter')
  await person.choose('edit it, and approve your version')
  await person.shows('Enter check it')
  person.press('C-u')
  await person.send('rm -rf old-notes')
  await person.shows('Enter approve your version')
  person.press('Enter')
  await person.answer('How?', 'carefully')
  await person.answer('Why?', 'because')
  await person.decline('rm -rf everything', 'not that')
  await person.shows('I say')
  person.press('Escape')
  await person.shows(/Stopped. The conversation is kept.[\s\S]*~[\d,]+ tokens in, ~/)
  await person.leave()
  const before = person.transcript().join('\n').trimEnd()

  const again = open(['--resume'])
  await again.shows('Resume which conversation?')
  again.press('Enter')
  await again.shows(/Stopped\.[\s\S]*tokens in/)
  await again.leave()
  const [, after = ''] = again
    .transcript()
    .join('\n')
    .trimEnd()
    .split(/Continuing the conversation .*\n/)
  expect(after).toMatch(/^\n> \[30 lines pasted\]replace[\s\S]*\n\n✔ DB: SQLite · 지역: 서울\n\n● Edit notes.txt/)
  expect(before.slice(-after.length)).toBe(after)

  const plain = open(['--continue', '--plain'])
  await plain.shows(
    /✔ DB: SQLite · 지역: 서울\nDone: Edit notes.txt[\s\S]*Stopped\. The conversation is kept\.[\s\S]*\n>/,
  )
  plain.type('/rewind')
  await plain.shows(/1\. \d\d:\d\d \[30 lines pasted\]replace[\s\S]*2\. \d\d:\d\d hello/)
})

it('goes on with what a person stopped only when they say so', { timeout: 60_000 }, async () => {
  const waits = bash('echo it has begun; while [ ! -e go ]; do sleep 0.05; done')
  let asked = 0
  const sandbox = await createAgentScreen((_, count) => {
    asked = count
    return count === 1 ? waits : { text: 'I have gone on.' }
  })
  const open = (args: string[]) => sitDown(sandbox, [...agentArgs, ...args], sandbox.server.env)
  const person = open(['wait'])
  await person.shows('it has begun')
  person.press('Escape')
  await person.shows('Stopped. The conversation is kept.')
  await person.leave()

  const again = open(['--continue'])
  await again.shows(/Stopped\. The conversation is kept\.[\s\S]*\/continue goes on where it stopped\./)
  expect(asked).toBe(1)
  await again.send('/continue')
  await again.shows('I have gone on.')
  await again.leave()
})
