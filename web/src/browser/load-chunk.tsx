import { base } from '../base.ts'

const storageKey = 'beckon.reloaded'
const reloadedFor = 30_000
const retryDelay = 2_000

/**
 * Imports a part of the page that is in a file of its own. After an upgrade of the server the old file is gone, so a
 * failed import reloads the page once; a second failure within half a minute is thrown. While the server is away, the page
 * stays as it is: a reload would replace it by an error of the browser.
 */
export async function loadChunk<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await load()
  } catch (error) {
    await serverAnswers()
    const last = Number(sessionStorage.getItem(storageKey) ?? 0)
    if (Date.now() - last < reloadedFor) throw error
    sessionStorage.setItem(storageKey, String(Date.now()))
    location.reload()
    return new Promise(() => {})
  }
}

async function serverAnswers(): Promise<void> {
  for (;;) {
    const answers = await fetch(`${base}/healthz`, { cache: 'no-store' }).then(
      ({ ok }) => ok,
      () => false,
    )
    if (answers) return
    await new Promise(resolve => setTimeout(resolve, retryDelay))
  }
}

/** In the place of a dialog whose code is on its way: what the person types is meant for the dialog, not for the page. */
export function DialogLoading() {
  return <span data-dialog-loading hidden />
}
