import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createSandbox } from '../../cli/sandbox.ts'
import { git } from '../../supervisor/repositories.ts'
import { startModelServer } from '../model-server.ts'
import { day, files, planHeading } from './day.ts'
import { type Person, sitDown } from './person.ts'
import { faultsInLog, faultsOnScreen, linesWith } from './transcript.ts'
import { endingOf, messageOf, replyTo } from './turn.ts'

// A working day with the agent, in a real terminal. `npm run test:day` spends it with every provider's format.
const providers = ['anthropic', 'openai', 'google', 'compatible']
const wanted = process.env.DAY_PROVIDERS === 'all' ? providers : providers.slice(0, 1)

/** A server of the person's own, with a tool that adds. */
const hive = { command: process.execPath, args: [join(import.meta.dirname, '../processes/mcp-server.ts')] }

describe.each(wanted)('a day of sixty turns with a model in the format of %s', provider => {
  it('leaves the files as they should be, and a transcript that reads well', { timeout: 240_000 }, async () => {
    const { parts, replays, log, cwd, server } = await spendDay(`${provider}/scripted`)
    keep(provider, { parts, log })
    expect(server.violations).toEqual([])
    for (const [name, content] of Object.entries(files))
      expect(readFileSync(join(cwd, name), 'utf8'), name).toBe(content)
    expect(JSON.stringify(server.log.at(-1)?.items)).not.toContain('Spoil')
    expect([...parts, ...replays].flatMap(faultsOnScreen).filter(fault => !fault.includes(planHeading))).toEqual([])
    expect(replays.map(replay => replay.filter(line => !parts.flat().includes(line)))).toEqual([[], []])
    // Between the turns of the first one, the person used commands that leave lines of their own.
    expect(parts.flat().join('\n')).toContain(replays[1]?.join('\n'))
    expect(missingIn(parts.flat())).toEqual([])
    expect(faultsInLog(log)).toEqual([])
    expect(day.flatMap(turn => turn.logs ?? []).filter(line => !log.includes(line))).toEqual([])
  })
})

async function spendDay(model: string) {
  expect(day).toHaveLength(60)
  const sandbox = await createSandbox()
  const server = await startModelServer(seen => replyTo(day, seen))
  sandbox.atEnd(() => server.close())
  git(sandbox.cwd, 'init', '-q')
  writeFileSync(join(sandbox.home, 'mcp.json'), JSON.stringify({ mcpServers: { hive } }))
  const args = ['agent', '--model', model]
  const parts: string[][] = []
  /** What the terminal showed of earlier turns when the conversation was continued. */
  const replays: string[][] = []
  /** How many lines of the present terminal are a list, or repeat earlier turns. */
  let repeated = 0
  let person: Person = sitDown(sandbox, args, server.env)
  await person.shows('tokens in')
  for (const [i, turn] of day.entries()) {
    const ending = endingOf(i + 1)
    await turn.before?.(person)
    await person.send(messageOf(i + 1, turn))
    await turn.meanwhile?.(person, ending)
    if (turn.end === 'killed') {
      const shown = person.transcript()
      // What a killed process leaves on the screen is not ours.
      parts.push(shown.slice(0, linesWith(shown, messageOf(i + 1, turn))[0]))
      person = sitDown(sandbox, [...args, '--continue'], server.env)
      await person.seesEnd(ending)
      repeated = linesWith(person.transcript(), messageOf(i + 1, turn))[0] ?? 0
      replays.push(replayIn(person.transcript().slice(0, repeated)))
    }
    await person.seesEnd(ending)
    await turn.after?.(person)
    if (turn.end === 'left') {
      await person.leave()
      parts.push(person.transcript().slice(repeated))
      person = sitDown(sandbox, [...args, '--resume'], server.env)
      await person.shows(/Resume which conversation\?[\s\S]*❯/)
      person.press('Enter')
      await person.shows(new RegExp(`${ending}[\\s\\S]*tokens in`))
      repeated = 1 + (linesWith(person.transcript(), ending)[0] ?? 0)
      replays.push(replayIn(person.transcript().slice(0, repeated)))
    }
  }
  await person.leave()
  parts.push(person.transcript().slice(repeated))
  const [run] = await sandbox.hub.runs.list()
  const { stdout } = await sandbox.run(['runs', 'logs', run?.id ?? ''])
  return { parts, replays, log: stdout.split('\n'), cwd: sandbox.cwd, server }
}

function replayIn(lines: readonly string[]): string[] {
  const from = lines.findIndex(line => line.startsWith('Continuing the conversation'))
  return lines.slice(from + 1).slice(0, 1 + lines.slice(from + 1).findLastIndex(line => line !== ''))
}

/** What was said, done and decided, and is not in the transcript exactly once, in its order. */
function missingIn(lines: readonly string[]): string[] {
  return day.flatMap((turn, i) => {
    const [from = -1, ...again] = linesWith(lines, messageOf(i + 1, turn))
    if (from === -1 || again.length > 0) return [`the message of turn ${i + 1}: ${again.length + 1} times`]
    const to = linesWith(lines, endingOf(i + 1))
    if (to.length !== 1) return [`the end of turn ${i + 1}: ${to.length} times`]
    const within = lines.slice(from, to[0])
    return (turn.leaves ?? []).flatMap(text => {
      const times = linesWith(within, text).length
      return times === 1 ? [] : [`${text}: ${times} times in turn ${i + 1}:\n${within.join('\n')}`]
    })
  })
}

/** For people who want to read the day: DAY_FOLDER names where. */
function keep(provider: string, { parts, log }: { parts: string[][]; log: string[] }) {
  const folder = process.env.DAY_FOLDER
  if (!folder) return
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, `${provider}.txt`), parts.map(part => part.join('\n')).join('\n'))
  writeFileSync(join(folder, `${provider}.log`), log.join('\n'))
}
