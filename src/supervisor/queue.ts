export interface Queue<Item> {
  push(item: Item): void
  isIdle(): boolean
  /** Resolves when the items pushed so far are handled; rejects when one of them failed. */
  idle(): Promise<void>
}

/** Handles items one after the other, in the order in which they came. After an error it handles no more. */
export function createQueue<Item>(
  handle: (item: Item) => Promise<void>,
  onError: (error: unknown) => void,
): Queue<Item> {
  const waiting: Item[] = []
  let working: Promise<void> | null = null
  return { push, isIdle: () => working === null, idle: async () => void (await working) }

  function push(item: Item) {
    waiting.push(item)
    if (working) return
    working = work()
    working.catch(onError)
  }

  async function work() {
    // Not before `push` has stored this promise, which is cleared below.
    await null
    for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) await handle(item)
    working = null
  }
}
