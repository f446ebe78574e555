/** Saves the text as a file with the date in its name. */
export function downloadFile(format: 'json' | 'csv', text: string): void {
  // Sweden writes dates as 2026-01-31.
  const name = `beckon-history-${new Date().toLocaleDateString('sv-SE')}.${format}`
  const type = format === 'json' ? 'application/json' : 'text/csv'
  const address = URL.createObjectURL(new Blob([text], { type }))
  const link = Object.assign(document.createElement('a'), { href: address, download: name })
  link.click()
  setTimeout(() => URL.revokeObjectURL(address), 60_000)
}
