// Loaded into the server that is measured: tells its heap after a full collection, which shows growth early.
process.channel?.unref()
process.on('message', () => {
  const { rss } = process.memoryUsage()
  globalThis.gc?.()
  process.send?.({ rss, heap: process.memoryUsage().heapUsed })
})
process.channel?.unref()
