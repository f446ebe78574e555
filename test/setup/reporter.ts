import { appendFileSync } from 'node:fs'
import type { Reporter, SerializedError, TestCase, TestModule } from 'vitest/node'

/** Lists every skipped test with its reason, and prints one line of totals, also at the end of the file named by TEST_SUMMARY. */
export default class Totals implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly SerializedError[]): void {
    const tests = modules.flatMap(module => [...module.children.allTests()])
    const inState = (state: string) => tests.filter(test => test.result().state === state)
    const skipped = [...inState('skipped'), ...inState('pending')]
    const failed = inState('failed').length + modules.filter(failedOutsideTests).length + unhandled.length
    const totals = `${inState('passed').length} passed, ${failed} failed, ${skipped.length} skipped`

    for (const test of skipped) process.stdout.write(`skipped: ${test.fullName} (${reason(test)})\n`)
    process.stdout.write(`${totals}\n`)
    if (process.env.TEST_SUMMARY) appendFileSync(process.env.TEST_SUMMARY, `${totals}\n`)
  }
}

/** A file that does not load, or a hook that throws, fails tests that are not counted. */
function failedOutsideTests(module: TestModule): boolean {
  return module.errors().length > 0 || [...module.children.allSuites()].some(suite => suite.errors().length > 0)
}

function reason(test: TestCase): string {
  const result = test.result()
  if (result.state === 'skipped' && result.note) return result.note
  if (result.state === 'pending') return 'did not run'
  return test.options.mode === 'todo' ? 'still to be written' : 'no reason given'
}
