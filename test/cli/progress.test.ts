import { PassThrough } from 'node:stream'
import { expect, it } from 'vitest'
import type { Context } from '../../src/cli/context.ts'
import { createProgress } from '../../src/cli/output/progress.ts'

const total = 800_000_000

function start({ screen = true, outputIsTty = false } = {}) {
  const stderr = Object.assign(new PassThrough(), screen ? { isTTY: true as const } : {})
  const stdout = Object.assign(new PassThrough(), outputIsTty ? { isTTY: true as const } : {})
  let time = 1_000
  const progress = createProgress({ stdout, stderr, now: () => time } as unknown as Context, total)
  return {
    ...progress,
    advance: (ms: number) => {
      time += ms
    },
    shown: () => String(stderr.read() ?? ''),
  }
}

/** Reports ten steps of ten per cent, `step` milliseconds apart. */
function runSteps(progress: ReturnType<typeof start>, step: number): string {
  for (let i = 1; i <= 10; i += 1) {
    progress.advance(step)
    progress.at((total / 10) * i)
  }
  return progress.shown()
}

it('the progress shows nothing for short work', () => {
  const progress = start()
  expect(runSteps(progress, 40)).toBe('')
  progress.clear()
  expect(progress.shown()).toBe('')
})

it('the progress shows a percentage on one line, and clears it', () => {
  const progress = start()
  expect(runSteps(progress, 150)).toBe(
    '\r40% of 800 MB\x1b[K\r60% of 800 MB\x1b[K\r80% of 800 MB\x1b[K\r99% of 800 MB\x1b[K',
  )
  progress.clear()
  expect(progress.shown()).toBe('\r\x1b[K')
})

it('the progress shows nothing without a terminal, or if the output itself goes to the terminal', () => {
  expect(runSteps(start({ screen: false }), 150)).toBe('')
  expect(runSteps(start({ outputIsTty: true }), 150)).toBe('')
})

it('the progress stops when a pager has the screen', () => {
  const progress = start()
  for (let i = 0; i < 4; i += 1) {
    progress.advance(200)
    progress.at(1)
  }
  expect(progress.shown()).toContain('0% of')
  progress.advance(10_000)
  progress.at(2)
  expect(progress.shown()).toBe('\r\x1b[K')
  expect(runSteps(progress, 150)).toBe('')
})
