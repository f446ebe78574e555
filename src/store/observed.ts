import type { Store } from './store.ts'

type StoreCall = 'read' | 'change'

/** Called when a call begins; what it returns, when the call ended, with the error where there was one. */
export type StoreObserver = (call: StoreCall) => (error?: unknown) => void

export interface ObservedStore extends Store {
  observe(observer: StoreObserver): void
}

/** The same store, whose calls can be observed. Without an observer nothing is spent on it. */
export function observed(store: Store): ObservedStore {
  const observers: StoreObserver[] = []
  return {
    ...store,
    change: (work, locks) =>
      observers.length === 0 ? store.change(work, locks) : watch('change', () => store.change(work, locks)),
    read: work => (observers.length === 0 ? store.read(work) : watch('read', () => store.read(work))),
    observe: observer => observers.push(observer),
  }

  async function watch<T>(call: StoreCall, work: () => Promise<T>): Promise<T> {
    const ends = observers.map(observer => observer(call))
    try {
      const result = await work()
      for (const end of ends) end()
      return result
    } catch (error) {
      for (const end of ends) end(error)
      throw error
    }
  }
}
