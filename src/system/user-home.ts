import { homedir } from 'node:os'

/** Null for a user that the machine does not know, such as one that a container is started with. */
export function userHome(): string | null {
  try {
    return homedir()
  } catch {
    return null
  }
}
