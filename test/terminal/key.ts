import type { Key } from '../../src/terminal/keys.ts'

/** A key that a person pressed, once. */
export function key(given: Partial<Key>): Key {
  return {
    name: '',
    text: '',
    ctrl: false,
    alt: false,
    shift: false,
    pasted: false,
    held: false,
    hasty: false,
    ...given,
  }
}
