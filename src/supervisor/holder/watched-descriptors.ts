import { closeSync, openSync, readSync } from 'node:fs'

// `poll` and `select` name their descriptors in the memory of the process that calls them.

const pollEntry = 8
const mostDescriptors = 4_096

/** The descriptors of an array of `struct pollfd`. */
export function fdsOfPoll(pid: number, address: number, count: number): number[] {
  const memory = readMemory(pid, address, Math.min(count, mostDescriptors) * pollEntry)
  return Array.from({ length: memory.length / pollEntry }, (_, i) => memory.readInt32LE(i * pollEntry))
}

/** The descriptors below `count` in an `fd_set`. */
export function fdsOfSelect(pid: number, count: number, address: number): number[] {
  const memory =
    address === 0 ? Buffer.alloc(0) : readMemory(pid, address, Math.ceil(Math.min(count, mostDescriptors) / 8))
  return Array.from({ length: memory.length * 8 }, (_, fd) => fd).filter(fd => (memory[fd >> 3] ?? 0) & (1 << (fd & 7)))
}

function readMemory(pid: number, address: number, length: number): Buffer {
  const memory = Buffer.alloc(length)
  const fd = openSync(`/proc/${pid}/mem`, 'r')
  try {
    return memory.subarray(0, readSync(fd, memory, 0, length, address))
  } finally {
    closeSync(fd)
  }
}
