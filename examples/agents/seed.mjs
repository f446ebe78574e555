// Creates the first records of a shop. It asks only with commands: AskUserQuestion and beckon need.
//   beckon run -- node seed.mjs
// Both are on the PATH inside a run. Only the command that asks waits; this process could do something else meanwhile.
import { spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { text } from 'node:stream/consumers'

const { answers } = await askUser([
  {
    question: 'Which records does the shop need at first?',
    header: 'Records',
    multiSelect: true,
    options: [
      { label: 'Products', description: 'three of them' },
      { label: 'Customers', description: 'two of them' },
    ],
  },
  {
    question: 'In which currency are the prices?',
    header: 'Currency',
    multiSelect: false,
    options: [
      { label: 'EUR', description: 'euros' },
      { label: 'JPY', description: 'yen' },
    ],
  },
])
const wanted = answers.Records.split(', ')
const records = [
  ...(wanted.includes('Products') ? ['tea', 'cup', 'pot'].map(name => ({ name, currency: answers.Currency })) : []),
  ...(wanted.includes('Customers') ? ['first', 'second'].map(name => ({ customer: name })) : []),
]
writeFileSync('records.json', JSON.stringify(records))

// Only that one command has the key in its environment, as SHOP_KEY. This process and its log never see it.
const upload =
  'printf "%s records, %s characters of key\\n" $(tr -cd { <records.json | wc -c) $(printf %s "$SHOP_KEY" | wc -c)'
const flags = ['--description', 'The key of the shop, from its settings', '--', 'bash', '-c', upload]
const { code, output } = await need('api_key', 'SHOP_KEY', flags)
if (code !== 0) {
  console.log(`There is no key (exit code ${code}), so nothing was uploaded.`)
  process.exit(1)
}
console.log(`Uploaded: ${output.trim()}`)

/** A person may take longer than a command may run. Then the command prints a ticket, and we wait again with its id. */
async function askUser(questions) {
  let { code, output } = await run('AskUserQuestion', ['-'], JSON.stringify({ questions }))
  while (code === 75) ({ code, output } = await run('AskUserQuestion', ['--wait', JSON.parse(output).id]))
  if (code === 0) return JSON.parse(output)
  console.log(`Nobody decided (exit code ${code}).`)
  process.exit(1)
}

/** The same for `beckon need`: running the command again takes up the open request. */
async function need(...args) {
  let result = await run('beckon', ['need', ...args.flat()])
  while (result.code === 75) result = await run('beckon', ['need', ...args.flat()])
  return result
}

async function run(command, args, input = '') {
  const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'] })
  const ended = new Promise(resolve => child.once('close', resolve))
  child.stdin.end(input)
  const output = await text(child.stdout)
  return { code: await ended, output }
}
