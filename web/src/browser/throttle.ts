/** Calls `work` at once, and then at most once in the time it asks for. The last call is never lost. */
export function throttle(work: () => void, every: () => number): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  let isWanted = false
  return () => {
    isWanted = true
    if (timer === undefined) run()
  }

  function run(): void {
    timer = undefined
    if (!isWanted) return
    isWanted = false
    work()
    timer = setTimeout(run, every())
  }
}
