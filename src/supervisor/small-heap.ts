import { setFlagsFromString } from 'node:v8'

/**
 * For processes that pass on bytes for hours: V8 lets the space for young objects grow with the traffic, and counts
 * buffers that wait to be collected for nothing. A small heap is collected more often, which costs next to nothing here.
 */
export function keepHeapSmall(): void {
  setFlagsFromString('--semi-space-growth-factor=1')
  setFlagsFromString('--scavenger-max-new-space-capacity-mb=1')
  setFlagsFromString('--external-memory-accounted-in-global-limit')
  setFlagsFromString('--heap-growing-percent=10')
  // The work is done by native code; compilers that optimise the rest take ten megabytes, and save little.
  setFlagsFromString('--no-opt')
  setFlagsFromString('--no-maglev')
}
