import { type Databases, type Kind, manyPending } from './databases.ts'
import { measureInProcess } from './processes/start-process.ts'
import { median, progress, type Row } from './report.ts'

const times = 5

/** Opening the hub after its imports, and reading the first page, with a hundred thousand pending requests. */
export async function measureStartup(kind: Kind, databases: Databases): Promise<Row[]> {
  const database = await databases.full(kind)
  const found: { ready: number; list: number }[] = []
  for (let time = 1; time <= times; time += 1) {
    progress(`${kind}: start-up ${time} of ${times}`)
    found.push(await measureInProcess('opener', database))
  }
  const group = `${kind}: start-up with ${manyPending.toLocaleString('en')} pending`
  const goal = { of: 'value', atMost: 0.5 } as const
  return [
    { group, name: 'ready', value: median(found.map(({ ready }) => ready / 1_000)), unit: 's', goal },
    { group, name: 'first page of the list', value: median(found.map(({ list }) => list)), unit: 'ms' },
  ]
}
