import { setFlagsFromString } from 'node:v8'

interface Options {
  /** Whether to compile what runs often. */
  compiles: boolean
}

/**
 * For processes that pass bytes on for hours: V8 lets the space for young objects grow with the traffic, and does not
 * count buffers that wait to be collected. A small heap is collected more often, which costs next to nothing here.
 */
export function keepHeapSmall({ compiles }: Options): void {
  setFlagsFromString('--semi-space-growth-factor=1')
  setFlagsFromString('--scavenger-max-new-space-capacity-mb=1')
  // An older V8 does not know it and would print an error.
  if (Number.parseInt(process.versions.node, 10) >= 24)
    setFlagsFromString('--external-memory-accounted-in-global-limit')
  setFlagsFromString('--heap-growing-percent=10')
  // Native code does most of the work. Both compilers take ten megabytes; loops over bytes need one of them, and the first
  // makes them ten times as fast.
  setFlagsFromString('--no-opt')
  if (!compiles) setFlagsFromString('--no-maglev')
}
