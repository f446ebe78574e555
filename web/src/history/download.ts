/** Its name tells the day, so that two of them do not look alike. */
export function download(format: 'json' | 'csv', text: string): void {
  // Sweden writes days the way file names want them.
  const name = `beckon-history-${new Date().toLocaleDateString('sv-SE')}.${format}`
  const type = format === 'json' ? 'application/json' : 'text/csv'
  const address = URL.createObjectURL(new Blob([text], { type }))
  const link = Object.assign(document.createElement('a'), { href: address, download: name })
  link.click()
  setTimeout(() => URL.revokeObjectURL(address), 60_000)
}
