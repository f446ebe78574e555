/** Finds all occurrences of many patterns in a stream. A state is a number; 0 is the initial one. */
export interface Matcher {
  /** Reads on from a state and reports every span that a pattern covers (`start` is negative in earlier chunks). */
  scan(state: number, chunk: Uint8Array, found: (start: number, end: number) => void): number
  /** How many of the last bytes may begin a pattern. */
  depth(state: number): number
}

// Blocks of two bytes are looked up in tables of this size.
const blocks = 65_536
// Longer skips gain nothing and would not fit into a byte.
const maxWindow = 128

/**
 * Two algorithms take turns. The skipper (Wu–Manber) looks at the end of a window as long as the shortest pattern; two bytes
 * mostly tell it that no pattern begins in many more, so it is as fast for twenty secrets as for one. Where they do not,
 * the automaton (Aho–Corasick) reads byte by byte until no pattern is under way. It never goes back, so the time is
 * linear for any text and any secret, and its state is all that one chunk leaves to the next. Every pattern has two
 * bytes or more.
 */
export function createMatcher(patterns: readonly Uint8Array[]): Matcher {
  const { child, sibling, byte, fail, depth, longest, first } = buildAutomaton(patterns)
  const { window, shift, begins } = buildSkipper(patterns)

  return { scan, depth: state => depth[state] as number }

  function scan(state: number, chunk: Uint8Array, found: (start: number, end: number) => void): number {
    const length = chunk.length
    let node = state
    let at = 0
    if (node !== 0) read(at + 1)
    while (at < length) {
      const start = skip(chunk, at - (depth[node] as number))
      at = start
      node = 0
      // Near the end no window fits any more: the last bytes are read for the state that they leave.
      read(start + window > length ? length : start + 2)
    }
    return node

    /** Reads to `atLeast`, and on until at most one byte of a pattern is under way. */
    function read(atLeast: number) {
      while (at < length && (at < atLeast || (depth[node] as number) > 1)) {
        node = follow(node, chunk[at] as number)
        at += 1
        const covers = longest[node] as number
        if (covers === 0) continue
        found(at - covers, at)
        // A pattern that ends here continues as a shorter one, so that a complete secret is never held back.
        while (node !== 0 && child[node] === 0) node = fail[node] as number
      }
    }
  }

  /** The first position where a pattern may begin, or where fewer bytes are left than the shortest pattern has. */
  function skip(chunk: Uint8Array, from: number): number {
    let end = from + window - 1
    while (end < chunk.length) {
      const step = shift[((chunk[end - 1] as number) << 8) | (chunk[end] as number)] as number
      const start = end - window + 1
      if (step > 0) end += step
      else if (begins[((chunk[start] as number) << 8) | (chunk[start + 1] as number)]) return start
      else end += 1
    }
    return Math.min(end - window + 1, chunk.length)
  }

  function follow(from: number, value: number): number {
    for (let node = from; node !== 0; node = fail[node] as number) {
      for (let next = child[node] as number; next !== 0; next = sibling[next] as number) {
        if (byte[next] === value) return next
      }
    }
    return first[value] as number
  }
}

/** Node 0 is the root. The children of a node are a linked list: nearly all nodes have one child, and tables would be large. */
function buildAutomaton(patterns: readonly Uint8Array[]) {
  const size = patterns.reduce((sum, pattern) => sum + pattern.length, 1)
  const child = new Int32Array(size)
  const sibling = new Int32Array(size)
  const byte = new Uint8Array(size)
  const fail = new Int32Array(size)
  const depth = new Int32Array(size)
  /** The length of the longest pattern that ends at a node. */
  const longest = new Int32Array(size)
  const first = new Int32Array(256)
  let nodes = 1

  for (const pattern of patterns) {
    let node = 0
    for (const value of pattern) node = childOf(node, value) || addChild(node, value)
    longest[node] = pattern.length
  }
  linkFailures()
  return { child, sibling, byte, fail, depth, longest, first }

  function childOf(node: number, value: number): number {
    if (node === 0) return first[value] as number
    let next = child[node] as number
    while (next !== 0 && byte[next] !== value) next = sibling[next] as number
    return next
  }

  function addChild(node: number, value: number): number {
    const added = nodes
    nodes += 1
    byte[added] = value
    depth[added] = (depth[node] as number) + 1
    sibling[added] = child[node] as number
    child[node] = added
    if (node === 0) first[value] = added
    return added
  }

  /** Breadth first: a node fails to the longest other prefix that ends like it, which is nearer to the root. */
  function linkFailures() {
    const queue = [0]
    for (const node of queue) {
      for (let next = child[node] as number; next !== 0; next = sibling[next] as number) {
        fail[next] = node === 0 ? 0 : failureOf(node, byte[next] as number)
        longest[next] ||= longest[fail[next] as number] as number
        queue.push(next)
      }
    }
  }

  function failureOf(parent: number, value: number): number {
    let node = fail[parent] as number
    while (node !== 0 && childOf(node, value) === 0) node = fail[node] as number
    return childOf(node, value)
  }
}

function buildSkipper(patterns: readonly Uint8Array[]) {
  const window = patterns.reduce((least, pattern) => Math.min(least, pattern.length), maxWindow)
  /** How far a window that ends in these two bytes can move. */
  const shift = new Uint8Array(blocks).fill(window - 1)
  /** Whether a pattern begins with these two bytes. */
  const begins = new Uint8Array(blocks)
  for (const pattern of patterns) {
    begins[((pattern[0] as number) << 8) | (pattern[1] as number)] = 1
    for (let end = 1; end < window; end += 1) {
      const block = ((pattern[end - 1] as number) << 8) | (pattern[end] as number)
      shift[block] = Math.min(shift[block] as number, window - 1 - end)
    }
  }
  return { window, shift, begins }
}
