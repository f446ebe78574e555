/** The path below which the server is reached: empty, or such as `/beckon`. The page's files are in a folder below it. */
export const base = /^https?:/.test(import.meta.url)
  ? new URL(import.meta.url).pathname.replace(/\/[^/]+\/[^/]+$/, '')
  : ''
