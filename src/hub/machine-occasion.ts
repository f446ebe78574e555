import type { ProgramEvent } from '../protocol/index.ts'

// The occasion of a message is a text, unique for its subject and target. Those to programs begin with `machine`: a program
// gets every event that it chose, also where a person need not hear of it any more.

export interface MachineOccasion {
  event: ProgramEvent
  /** The number of the event; null for a callback. */
  number: number | null
  /** Which callback of the request; null for a webhook. */
  mark: string | null
}

/** The target of a callback is this and its host. */
export const callbackTarget = 'callback:'

export const eventOccasion = (event: ProgramEvent, number: number) => `machine ${number} ${event}`
export const callbackOccasion = (mark: string) => `machine callback ${mark}`

/** Null for a message to people. */
export function readOccasion(occasion: string): MachineOccasion | null {
  const [first, second = '', third = ''] = occasion.split(' ')
  if (first !== 'machine') return null
  if (second === 'callback') return { event: 'request.settled', number: null, mark: third }
  return { event: third as ProgramEvent, number: Number(second), mark: null }
}
