import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Turn } from './turn.ts'
import { call } from './turn.ts'

const chapters = [1, 2, 3, 4, 5, 6]
/** What runs until the person says so. */
const untilReleased = (name: string) => `echo ${name} has begun; while [ ! -e ${name} ]; do sleep 0.05; done`

/** The plan stays in the transcript, with who presents it. */
export const planHeading = 'What I will order'

/** Sixty turns of writing a book. */
export const day: readonly Turn[] = [
  talk('Good morning', '# The plan\n\nWe write a **book**, one chapter after the other.'),
  write('title.md', 'A book\n'),
  choose('Which cover?', ['red', 'blue'], 'blue'),
  tell('Who is the author?', 'Ada, 에이다'),
  batch(),
  edit('title.md', 'A book', 'A book about bees'),
  read('title.md'),
  bash('Count the words', 'wc -w < title.md'),
  bash('Show a long list', 'seq 1 300'),
  fails('Try the printer', 'echo no paper >&2; exit 3', 'no paper'),
  badEdit(),
  approve('rm -rf drafts'),
  decline('git push --force', 'use a lease'),
  always('rm -rf cache'),
  bash('Clear the cache again', 'rm -rf cache'),
  alter('rm -rf old notes', 'rm -rf old-notes'),
  todo(),
  search(),
  helpers(),
  stop(),
  ...chapters.slice(0, 4).flatMap(chapter),
  queue(),
  compact(),
  regret('title.md', 'A book about wasps\n'),
  read('title.md'),
  talk('안녕하세요', '벌에 대한 책입니다.'),
  killed(),
  talk('Are you back?', 'Yes.'),
  ...chapters.slice(4).flatMap(chapter),
  { ...talk('I go for lunch', 'Enjoy it.'), end: 'left' },
  talk('I am back', 'Welcome back.'),
  talk('A table, please', '| bee | legs |\n|---|---|\n| queen | 6 |'),
  talk('And code', '```ts\nconst legs = 6\n```'),
  plan(),
  decline('git reset --hard HEAD~3', 'I have not committed'),
  approve('rm -rf build'),
  choose('Which paper?', ['cream', 'white'], 'cream'),
  tell('Which printer?', 'the one in Seoul'),
  write('index.md', 'bees\n'),
  bash('List the chapters', 'ls chapter-*.md | wc -l'),
  edit('index.md', 'bees', 'bees, all of them'),
  fails('Try the printer again', 'echo still no paper >&2; exit 3', 'still no paper'),
  tool(),
  talk('Good night', 'Good night.'),
]

/** The files at the end of the day. */
export const files: Record<string, string> = {
  'title.md': 'A book about bees\n',
  'index.md': 'bees, all of them\n',
  'order.md': 'a hundred copies\n',
  'proofreader.md': 'proofreader was here\n',
  'printer.md': 'printer was here\n',
  ...Object.fromEntries(chapters.map(n => [`chapter-${n}.md`, `Chapter ${n}\n\nBees, revised.\n`])),
}

function talk(say: string, text: string): Turn {
  return { say, replies: [], text }
}

function write(path: string, content: string): Turn {
  return { say: `Write ${path}`, replies: [{ calls: [call('Write', { path, content })] }], leaves: [`Write ${path}`] }
}

function edit(path: string, old: string, next: string): Turn {
  const replies = [
    { text: `I look at ${path} first.`, calls: [call('Read', { path })] },
    { calls: [call('Edit', { path, old, new: next })] },
  ]
  return { say: `Change ${path}`, replies, leaves: [`I look at ${path} first.`, `Read ${path}`, `Edit ${path}`] }
}

function read(path: string): Turn {
  return { say: `Read ${path}`, replies: [{ calls: [call('Read', { path })] }], leaves: [`Read ${path}`] }
}

function bash(say: string, command: string): Turn {
  return { say, replies: [{ calls: [call('Bash', { command })] }], leaves: [`Bash ${command}`] }
}

function fails(say: string, command: string, output: string): Turn {
  return { ...bash(say, command), leaves: [`✗ Bash ${command}`, output] }
}

function badEdit(): Turn {
  const input = { path: 'title.md', old: 'wasps', new: 'hornets' }
  return { say: 'Replace the wasps', replies: [{ calls: [call('Edit', input)] }], leaves: ['✗ Edit title.md'] }
}

function choose(question: string, options: string[], wanted: string): Turn {
  return {
    say: `Ask me: ${question}`,
    replies: [{ text: 'I have a question.', calls: [call('AskUserQuestion', { question, options })] }],
    meanwhile: person => person.choose(wanted),
    leaves: [`✔ ${question} ${wanted}`],
  }
}

function tell(question: string, answer: string): Turn {
  return {
    say: `Ask me, in words: ${question}`,
    replies: [{ calls: [call('AskUserQuestion', { question })] }],
    meanwhile: person => person.answer(question, answer),
    leaves: [`✔ ${question} ${answer}`],
  }
}

function batch(): Turn {
  const questions = [
    { question: 'Which font?', header: 'Font', options: ['serif', 'sans'] },
    { question: 'How many copies?', header: 'Copies' },
  ]
  return {
    say: 'Ask me two things',
    replies: [{ calls: [call('AskUserQuestion', { questions })] }],
    async meanwhile(person) {
      await person.choose('sans')
      await person.answer('How many copies?', 'a hundred')
      await person.shows('Send these answers')
      person.press('Enter')
    },
    leaves: ['✔ Font: sans · Copies: a hundred'],
    logs: ['[USER_ANSWER] Font: sans · Copies: a hundred'],
  }
}

function approve(command: string): Turn {
  return {
    ...bash(`Do it: ${command}`, command),
    async meanwhile(person) {
      await person.shows(command)
      await person.choose('yes')
    },
    leaves: [`✔ Approved: ${command}`],
  }
}

function decline(command: string, reason: string): Turn {
  return {
    ...bash(`Do it: ${command}`, command),
    meanwhile: person => person.decline(command, reason),
    leaves: [`✗ Declined: ${command} — ${reason}`],
    logs: [`[APPROVAL] declined: ${reason}`],
  }
}

function always(command: string): Turn {
  return {
    ...bash(`Do it: ${command}`, command),
    async meanwhile(person) {
      await person.shows(command)
      await person.choose('yes, and always for exactly this')
    },
    leaves: [`✔ Approved from now on: ${command}`],
  }
}

function alter(command: string, better: string): Turn {
  return {
    ...bash(`Do it: ${command}`, command),
    async meanwhile(person) {
      await person.choose('edit it, and approve your version')
      await person.shows('Enter check it')
      person.press('C-u')
      await person.send(better)
      await person.shows('Enter approve your version')
      person.press('Enter')
    },
    leaves: [`✔ Approved, edited: ${better}`],
    logs: [`[APPROVAL] yes, edited: ${better}`],
  }
}

function tool(): Turn {
  return {
    say: 'Count the bees',
    replies: [{ calls: [call('mcp__hive__add', { a: 20_000, b: 1 })] }],
    async meanwhile(person) {
      await person.shows('20000')
      await person.choose('yes')
    },
    leaves: ['✔ Approved: mcp__hive__add', 'mcp__hive__add', '20000 + 1 = 20001'],
  }
}

function todo(): Turn {
  const todos = [
    { text: 'write', status: 'done' },
    { text: 'print', status: 'doing' },
  ]
  return { say: 'Make a list', replies: [{ calls: [call('Todo', { todos })] }], leaves: ['Todo 1/2 done, now: print'] }
}

function search(): Turn {
  const calls = [
    call('Glob', { pattern: '*.md' }),
    call('Grep', { pattern: 'bees' }),
    call('Read', { path: 'title.md' }),
  ]
  return { say: 'Search for bees', replies: [{ calls }], leaves: ['Glob *.md', 'Grep bees', 'Read title.md'] }
}

function helpers(): Turn {
  const calls = ['proofreader', 'printer'].map(name => call('Agent', { name, task: `Help as ${name}.` }))
  return {
    say: 'Get help',
    replies: [{ calls }],
    meanwhile: person => person.answer('British or American?', 'British'),
    leaves: ['✔ British or American? British', 'printer: Write printer.md', 'proofreader: Write proofreader.md'],
  }
}

function stop(): Turn {
  return {
    ...bash('Wait for me', untilReleased('waiting')),
    async meanwhile(person, ending) {
      await person.shows('waiting has begun')
      person.press('Escape')
      await person.shows('Stopped. The conversation is kept.')
      await person.send('/continue')
      await person.shows(ending)
    },
    leaves: ['Stopped. The conversation is kept.'],
  }
}

function plan(): Turn {
  const presented = { title: 'Order the print', plan: `# ${planHeading}\n\nA hundred copies.` }
  return {
    say: 'Order a hundred',
    async before(person) {
      await person.send('/plan')
      await person.shows('Plan mode: ')
    },
    replies: [
      { calls: [call('PresentPlan', presented)] },
      { calls: [call('Write', { path: 'order.md', content: 'a hundred copies\n' })] },
    ],
    meanwhile: person => person.choose('approve'),
    leaves: [planHeading, '✔ Approved: Order the print', 'Plan mode is over', 'Write order.md'],
  }
}

/** A message that waits until the agent can hear it. */
function queue(): Turn {
  return {
    ...bash('Wait for the mail', untilReleased('mail')),
    async meanwhile(person) {
      await person.shows('mail has begun')
      await person.send('and read it aloud')
      writeFileSync(join(person.sandbox.cwd, 'mail'), '')
    },
    leaves: ['Bash echo mail has begun', 'and read it aloud'],
  }
}

function compact(): Turn {
  return {
    ...talk('That was a lot', 'It was.'),
    async after(person) {
      await person.send('/compact')
      await person.shows('Summarised the earlier conversation')
    },
  }
}

/** A turn that the person takes back, with what it did to a file. */
function regret(path: string, content: string): Turn {
  return {
    ...write(path, content),
    say: `Spoil ${path}`,
    async after(person) {
      await person.send('/rewind 1')
      await person.shows('Rewound. 1 file was restored.')
      await person.shows(new RegExp(`Rewound[\\s\\S]*> \\d+\\. Spoil ${path}`))
      person.press('C-u')
    },
  }
}

function chapter(n: number): Turn[] {
  const path = `chapter-${n}.md`
  return [
    write(path, `Chapter ${n}\n\nBees.\n`),
    edit(path, 'Bees.', 'Bees, revised.'),
    tell(`What comes after chapter ${n}?`, `chapter ${n + 1}`),
  ]
}

function killed(): Turn {
  return {
    ...bash('Start the printer', untilReleased('printing')),
    async meanwhile(person) {
      await person.shows('printing has begun')
      await person.kill()
      writeFileSync(join(person.sandbox.cwd, 'printing'), '')
    },
    end: 'killed',
  }
}
