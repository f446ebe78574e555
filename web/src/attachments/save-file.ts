import { type Attachment, loadAttachment } from '../api/attachments.ts'

/** Saves a file as the browser saves downloads. What its name hides or disguises is replaced. */
export async function saveFile(request: string, file: Attachment): Promise<void> {
  const blob = await loadAttachment(request, file)
  const address = URL.createObjectURL(new Blob([blob], { type: 'application/octet-stream' }))
  const link = Object.assign(document.createElement('a'), { href: address, download: plainName(file.name) })
  link.click()
  setTimeout(() => URL.revokeObjectURL(address), 60_000)
}

function plainName(name: string): string {
  return name.replaceAll(/[\p{C}\p{Zl}\p{Zp}/\\:*?"<>|%]/gu, '_').replace(/^[.~-]+/, '_')
}
