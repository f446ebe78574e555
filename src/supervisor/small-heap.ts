import { setFlagsFromString } from 'node:v8'

/**
 * For processes that pass bytes on for hours: V8 lets the space for young objects grow with the traffic, and does not
 * count buffers that wait to be collected. A small heap is collected more often, which costs next to nothing here.
 */
export function keepHeapSmall(): void {
  setFlagsFromString('--semi-space-growth-factor=1')
  setFlagsFromString('--scavenger-max-new-space-capacity-mb=1')
  // An older V8 does not know it and would print an error.
  if (Number.parseInt(process.versions.node, 10) >= 24)
    setFlagsFromString('--external-memory-accounted-in-global-limit')
  setFlagsFromString('--heap-growing-percent=10')
  // Native code does the work; the optimising compilers take ten megabytes and save little.
  setFlagsFromString('--no-opt')
  setFlagsFromString('--no-maglev')
}
