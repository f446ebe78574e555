const storageKey = 'beckon.reloaded'
const retryAfter = 30_000

/**
 * Imports a part of the page that is in a file of its own. After an upgrade of the server the old file is gone, so a
 * failed import reloads the page once; a second failure within half a minute is thrown.
 */
export async function loadChunk<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await load()
  } catch (error) {
    const last = Number(sessionStorage.getItem(storageKey) ?? 0)
    if (Date.now() - last < retryAfter || !navigator.onLine) throw error
    sessionStorage.setItem(storageKey, String(Date.now()))
    location.reload()
    return new Promise(() => {})
  }
}

/** In the place of a dialog whose code is on its way: what the person types is meant for the dialog, not for the page. */
export function DialogLoading() {
  return <span data-dialog-loading hidden />
}
