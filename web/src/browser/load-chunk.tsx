import { base } from '../base.ts'
import { pause } from './pause.ts'

const storageKey = 'beckon.reloaded'
const reloadedFor = 30_000
const retryDelay = 2_000
/** A device that changes its network loses what is on its way, and gets it a moment later. */
const importAgainAfter = [100, 1_000]

/**
 * Imports a part of the page that is in a file of its own. After an upgrade of the server the old file is gone, so an
 * import that keeps failing reloads the page once; if it still fails within half a minute, that is thrown. While the server
 * is away, the page stays as it is: a reload would replace it by an error of the browser.
 */
export async function loadChunk<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await importAgain(load)
  } catch (error) {
    const last = Number(sessionStorage.getItem(storageKey) ?? 0)
    if (Date.now() - last < reloadedFor) throw error
    sessionStorage.setItem(storageKey, String(Date.now()))
    location.reload()
    return new Promise(() => {})
  }
}

/** The same for a part that the page can do without: null where it cannot be loaded, and never a reload. */
export function loadOptionalChunk<T>(load: () => Promise<T>): Promise<T | null> {
  return importAgain(load).catch(() => null)
}

async function importAgain<T>(load: () => Promise<T>): Promise<T> {
  let failure: unknown
  for (const delay of [0, ...importAgainAfter]) {
    if (delay > 0) await pause(delay)
    try {
      return await load()
    } catch (error) {
      failure = error
      await serverAnswers()
      await loadMissingStyles()
    }
  }
  throw failure
}

/** Vite inserts the styles of a part once, whether they arrive or not. */
async function loadMissingStyles(): Promise<void> {
  const links = document.querySelectorAll<HTMLLinkElement>('link[rel="stylesheet"]')
  const missing = [...links].filter(({ sheet }) => sheet === null)
  await Promise.all(
    missing.map(link => {
      const again = link.cloneNode() as HTMLLinkElement
      const ended = new Promise(resolve => {
        again.onload = again.onerror = resolve
      })
      link.replaceWith(again)
      return ended
    }),
  )
}

async function serverAnswers(): Promise<void> {
  for (;;) {
    const answers = await fetch(`${base}/healthz`, { cache: 'no-store' }).then(
      ({ ok }) => ok,
      () => false,
    )
    if (answers) return
    await pause(retryDelay)
  }
}

/** In the place of a dialog whose code is on its way: what the person types is meant for the dialog, not for the page. */
export function DialogLoading() {
  return <span data-dialog-loading hidden />
}
