import type { EventType } from '../../src/protocol/index.ts'

// What the processes of the chaos test knew, in their own words: each writes a line before it sends what may be
// acknowledged unseen, and a line for everything that was acknowledged to it. The model compares them with the database.

export type ChaosEntry =
  /** It is about to ask with this key. */
  | { it: 'asks'; key: string }
  /** The hub acknowledged the ask. */
  | { it: 'asked'; key: string; id: string }
  /** An approval, which has no key. */
  | { it: 'asked for'; command: string; id: string }
  /** The outcome that the asker was given, with the question or command it was given for. */
  | { it: 'got'; id: string; about: string; status: string; text: string | null }
  | { it: 'delivered'; id: string }
  /** A yes was spent, by one of several that tried. */
  | { it: 'used'; id: string; nonce: string }
  | { it: 'answers'; id: string; text: string }
  /** `won`: it was told that its answer counts. Else `text` is the answer that counts, as it was told. */
  | { it: 'answered'; id: string; won: boolean; text: string | null }
  | { it: 'saw'; event: number; type: EventType; request: string | null }
  /** A reply that no fault explains. */
  | { it: 'was refused'; call: string; reply: string }
