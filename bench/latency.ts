import { setTimeout as sleep } from 'node:timers/promises'
import { openHub } from '../src/open-hub.ts'
import type { Databases, Kind } from './databases.ts'
import { question } from './processes/question.ts'
import { startProcess } from './processes/start-process.ts'
import { percentile, progress, type Row } from './report.ts'

const samples = 400

/** The time from answering until the waiter resumes, including the commit. */
export async function measureLatency(kind: Kind, databases: Databases): Promise<Row[]> {
  progress(`${kind}: latency in process`)
  const inside = await inProcess(await databases.fresh(kind))
  progress(`${kind}: latency across processes`)
  const across = await acrossProcesses(await databases.fresh(kind))
  const group = `${kind}: from answer to resume`
  return [
    row('in process, p50', inside, 0.5, 1),
    row('in process, p99', inside, 0.99, 5),
    row('across processes, p50', across, 0.5),
    row('across processes, p99', across, 0.99, 50),
  ]

  function row(name: string, times: number[], share: number, atMost?: number): Row {
    const value = percentile(times, share)
    return { group, name, value, unit: 'ms', ...(atMost === undefined ? {} : { goal: { of: 'value', atMost } }) }
  }
}

async function inProcess(database: string): Promise<number[]> {
  const hub = await openHub({ database })
  const times = await collect(async n => {
    const { id } = await hub.raise(question(n))
    const settled = hub.wait(id)
    await sleep(2)
    const answered = performance.now()
    const answering = hub.answer(id, { value: 'PostgreSQL' })
    await settled
    const resumed = performance.now()
    await answering
    return resumed - answered
  })
  await hub.close()
  return times
}

async function acrossProcesses(database: string): Promise<number[]> {
  const hub = await openHub({ database })
  const answerer = await startProcess('answerer', database)
  const times = await collect(async n => {
    const { answers } = await hub.ask(question(n))
    // All processes share the monotonic clock.
    return Number(process.hrtime.bigint() - BigInt(answers[0]?.text ?? 0)) / 1e6
  })
  await answerer.stop()
  await hub.close()
  return times
}

/** Collects samples; the first 50 warm up and do not count. */
async function collect(sample: (n: number) => Promise<number>): Promise<number[]> {
  const times: number[] = []
  for (let n = 0; n < samples + 50; n += 1) {
    const time = await sample(n)
    if (n >= 50) times.push(time)
  }
  return times
}
