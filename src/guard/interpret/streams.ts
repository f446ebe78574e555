/** What is known of the data that a program reads or writes. */
export interface Stream {
  /** The text, with `unknownText` in place of unknown parts; null if nothing is known. */
  text: string | null
  from: number
  /** If every line is a path: a glob that describes them (`./src/*.log`). */
  pathPattern: string | null
  /** The name of the file that holds it, if the file was not read. */
  file?: string
  /** The files that it was made of. */
  sources?: Sources
  /** Whether it never ends, such as the output of `yes`. */
  endless?: boolean
  /** Whether it is the terminal, or whatever else the command was started with: nobody knows what comes. */
  isTerminal?: boolean
}

interface Sources {
  /** Their keys in `Scope.files`. */
  files: readonly string[]
  /** Whether a filter may have left something out, or all of it. */
  areShortened: boolean
}

export const emptyStream: Stream = { text: '', from: 0, pathPattern: null }
/** What the command itself was started with. */
export const terminalStream: Stream = { ...emptyStream, isTerminal: true }
export const unknownStream: Stream = { text: null, from: 0, pathPattern: null }

export function streamOf(text: string, from = 0): Stream {
  return { text, from, pathPattern: null }
}
