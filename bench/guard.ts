import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { checkCommand } from 'cc-safety-net/api'
import { classify } from '../src/guard/index.ts'
import { readCorpus } from '../test/guard/corpus.ts'
import { median, percentile, progress, type Row } from './report.ts'

const rounds = 7
const warmUp = 3

interface Measured {
  perSecond: number
  p99: number
}

/** Measures how fast the guard classifies commands, compared with cc-safety-net on the same commands in this process. */
export async function benchGuard(): Promise<Row[]> {
  const commands = readCorpus().flatMap(collection => collection.commands)
  const cwd = mkdtempSync(join(tmpdir(), 'beckon-bench-'))
  try {
    const project = { cwd, workspace: cwd, home: '/home/me' }
    const ours = (command: string) => classify(command, project).verdict !== 'allow'
    const theirs = (command: string) => checkCommand({ command, cwd }).kind !== 'allow'
    progress(`${commands.length} commands, ${rounds} rounds each`)
    for (let round = 0; round < warmUp; round += 1) for (const one of [ours, theirs]) measure(one, commands)

    const theirResults: Measured[] = []
    const ourResults: Measured[] = []
    // The two alternate, so a busy machine slows both down.
    for (let round = 0; round < rounds; round += 1) {
      theirResults.push(measure(theirs, commands))
      ourResults.push(measure(ours, commands))
    }
    const floor = median(theirResults.map(({ perSecond }) => perSecond))
    const floorP99 = median(theirResults.map(({ p99 }) => p99))
    const group = 'guard, in process'
    return [
      { group, name: 'cc-safety-net 2.4.5', value: floor, unit: 'commands/s' },
      {
        group,
        name: 'ours',
        value: median(ourResults.map(({ perSecond }) => perSecond)),
        unit: 'commands/s',
        floor,
        goal: { of: 'ratio', atLeast: 20 },
      },
      { group, name: 'cc-safety-net p99', value: floorP99, unit: 'ms' },
      {
        group,
        name: 'ours p99',
        value: median(ourResults.map(({ p99 }) => p99)),
        unit: 'ms',
        floor: floorP99,
        goal: { of: 'ratio', atMost: 0.1 },
      },
    ]
  } finally {
    rmSync(cwd, { recursive: true, force: true })
  }
}

function measure(classifyOne: (command: string) => boolean, commands: readonly string[]): Measured {
  const times: number[] = []
  const began = performance.now()
  for (const command of commands) {
    const start = performance.now()
    classifyOne(command)
    times.push(performance.now() - start)
  }
  const perSecond = (commands.length / (performance.now() - began)) * 1_000
  return { perSecond, p99: percentile(times, 0.99) }
}
