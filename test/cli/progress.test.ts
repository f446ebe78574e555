import { PassThrough } from 'node:stream'
import { expect, it } from 'vitest'
import type { Context } from '../../src/cli/context.ts'
import { createProgress } from '../../src/cli/output/progress.ts'

const total = 800_000_000

function start({ screen = true, outputThere = false } = {}) {
  const stderr = Object.assign(new PassThrough(), screen ? { isTTY: true as const } : {})
  const stdout = Object.assign(new PassThrough(), outputThere ? { isTTY: true as const } : {})
  let time = 1_000
  const progress = createProgress({ stdout, stderr, now: () => time } as unknown as Context, total)
  return {
    ...progress,
    pass: (ms: number) => {
      time += ms
    },
    shown: () => String(stderr.read() ?? ''),
  }
}

/** Ten steps of a tenth, each after so many milliseconds. */
function go(progress: ReturnType<typeof start>, step: number): string {
  for (let i = 1; i <= 10; i += 1) {
    progress.pass(step)
    progress.at((total / 10) * i)
  }
  return progress.shown()
}

it('says nothing of what takes no time', () => {
  const progress = start()
  expect(go(progress, 40)).toBe('')
  progress.clear()
  expect(progress.shown()).toBe('')
})

it('tells on one line how far it is, and takes it away', () => {
  const progress = start()
  expect(go(progress, 150)).toBe('\r40% of 800 MB\x1b[K\r60% of 800 MB\x1b[K\r80% of 800 MB\x1b[K\r99% of 800 MB\x1b[K')
  progress.clear()
  expect(progress.shown()).toBe('\r\x1b[K')
})

it('is silent where there is no screen, and where the output itself is on it', () => {
  expect(go(start({ screen: false }), 150)).toBe('')
  expect(go(start({ outputThere: true }), 150)).toBe('')
})

it('leaves the screen to a pager', () => {
  const progress = start()
  for (let i = 0; i < 4; i += 1) {
    progress.pass(200)
    progress.at(1)
  }
  expect(progress.shown()).toContain('0% of')
  progress.pass(10_000)
  progress.at(2)
  expect(progress.shown()).toBe('\r\x1b[K')
  expect(go(progress, 150)).toBe('')
})
