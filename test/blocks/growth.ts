import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { createScanner, createUnwrapper } from '../../src/blocks/index.ts'
import { asksWith } from './corpus/case.ts'

setFlagsFromString('--expose-gc')
const collect: () => void = runInNewContext('gc')

const megabyte = 1_048_576
const fill = (text: string) => Buffer.from(text.repeat(Math.ceil(megabyte / text.length)))

const text = 'The agent reads a file and writes another one.\n'.repeat(100)

/** A megabyte each of what could make a scanner keep more and more. */
const contents = [
  fill('no line break '),
  fill(asksWith('options: [a, b]') + text),
  fill(`[USER_QUESTION]\nquestion: never closed\n${text}`),
  fill(`\`\`\`\nnever closed\n${text}`),
  fill(`\`\`\`\n[USER_QUESTION]\nnever closed\n${text}`),
  fill(`=== PHASE 1 COMPLETE ===\n- a file\n${text}`),
  fill('\n'),
  Buffer.concat([Buffer.from('[USER_QUESTION]\n'), fill('\n')]),
  Buffer.concat([Buffer.from('[USER_QUESTION]\n'), fill('x')]),
  Buffer.concat([Buffer.from('=== PHASE 1 COMPLETE ===\n'), fill('- a\n')]),
  Buffer.concat([Buffer.from('\n{"type":"assistant","data":"'), fill('x')]),
]

/** The most bytes, of heap and buffers, that scanning this many megabytes held on to. */
export function growthOver(megabytes: number): { bytes: number; items: number } {
  const unwrapper = createUnwrapper('claude')
  const scanner = createScanner()
  const wrapped = createScanner()
  let items = 0
  let most = 0
  const before = inUse()
  for (let done = 0; done < megabytes; done += 1) {
    const content = contents[done % contents.length] ?? Buffer.alloc(0)
    for (let from = 0; from < content.length; from += 65_536) {
      const chunk = content.subarray(from, from + 65_536)
      items += scanner.push(chunk).length + wrapped.push(unwrapper.push(chunk)).length
    }
    scanner.tick(done * 1_000)
    if (done % 16 === 15) most = Math.max(most, inUse() - before)
  }
  return { bytes: most, items }
}

function inUse(): number {
  // Twice: buffers of the first time are given back at the beginning of the second.
  collect()
  collect()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}
