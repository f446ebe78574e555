/** What a program reads or writes, as far as it is known. */
export interface Stream {
  /** The text, with holes in it; null where nothing is known of it. */
  text: string | null
  from: number
  /** Where every line is a path: what they look like, as a glob (`./src/*.log`). */
  pathPattern: string | null
  /** The name of the file that it lies in, unseen. */
  file?: string
}

export const emptyStream: Stream = { text: '', from: 0, pathPattern: null }
export const unknownStream: Stream = { text: null, from: 0, pathPattern: null }

export function streamOf(text: string, from = 0): Stream {
  return { text, from, pathPattern: null }
}
