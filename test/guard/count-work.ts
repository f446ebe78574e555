import { Session } from 'node:inspector'
import { setFlagsFromString } from 'node:v8'

// V8's optimising compilers leave out counts, on a thread of their own and so a different number each time.
setFlagsFromString('--no-opt')
setFlagsFromString('--no-maglev')

// Started once, before the guard's functions are compiled: one that is compiled while nobody counts has no counters in it.
const session = new Session()
session.connect()
session.post('Profiler.enable')
session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true })

/**
 * How much work a piece of code does, as a count that is the same on every machine: every block of our code and of the shell
 * parser that V8 enters, and the lengths of what built-in functions copy or search.
 */
export function countWork(run: () => void): number {
  session.post('Profiler.takePreciseCoverage')
  const builtins = countBuiltins()
  try {
    run()
  } finally {
    builtins.restore()
  }
  let blocks = 0
  session.post('Profiler.takePreciseCoverage', (error, coverage) => {
    if (error) throw error
    for (const { url, functions } of coverage.result) {
      if (!/src\/guard\/|\/unbash\//.test(url)) continue
      for (const { ranges } of functions) for (const { count } of ranges) blocks += count
    }
  })
  if (blocks === 0) throw new Error('V8 counted nothing.')
  return blocks + builtins.count()
}

const copying = ['slice', 'concat', 'flat', 'join', 'includes', 'indexOf', 'toSorted'] as const
const searching = ['split', 'replace', 'replaceAll', 'match', 'search', 'includes', 'indexOf', 'trim'] as const

/** Coverage does not see inside V8's own functions, so these count the length of what they are called on. */
function countBuiltins(): { count(): number; restore(): void } {
  let length = 0
  const undo: (() => void)[] = []
  for (const [owner, names] of [
    [Array.prototype, copying],
    [String.prototype, searching],
  ] as const) {
    for (const name of names) {
      const original: unknown = Reflect.get(owner, name)
      if (typeof original !== 'function') throw new Error(`${name} is missing.`)
      Reflect.set(owner, name, function (this: { length: number }, ...args: unknown[]) {
        const result: unknown = Reflect.apply(original, this, args)
        // A search that starts late or ends early reads only what is between.
        const isSearch = name === 'indexOf' && typeof args[1] === 'number' && typeof result === 'number'
        length += isSearch ? (result < 0 ? this.length : result) - Number(args[1]) : this.length
        return result
      })
      undo.push(() => Reflect.set(owner, name, original))
    }
  }
  const RealMap = globalThis.Map
  globalThis.Map = class<K, V> extends RealMap<K, V> {
    constructor(entries?: Iterable<readonly [K, V]> | null) {
      super(entries)
      length += this.size
    }
  } as MapConstructor
  undo.push(() => {
    globalThis.Map = RealMap
  })
  return { count: () => length, restore: () => undo.forEach(one => void one()) }
}
