import { base } from '../base.ts'

const betweenChecks = 60 * 60_000
const toDraw = 500

/**
 * The service worker keeps the page itself, so that it opens at once, and offline. When it has found a newer build, the
 * page takes that one the next time nobody is looking.
 */
export function keepUpToDate(firstPicture: Promise<unknown>): void {
  if (!('serviceWorker' in navigator) || !window.isSecureContext) return
  // It loads files, too: on a slow line the first picture would wait for them.
  void firstPicture.finally(() => setTimeout(register, toDraw))
  let isOutdated = false
  navigator.serviceWorker.addEventListener('message', ({ data }) => {
    // Only a page of another build is outdated.
    if (typeof data?.build === 'string') isOutdated = !document.querySelector(`script[src="${CSS.escape(data.build)}"]`)
    reloadUnseen()
  })
  document.addEventListener('visibilitychange', reloadUnseen)

  function register(): void {
    navigator.serviceWorker
      .register(`${base}/sw.js`)
      .then(registration => setInterval(() => void registration.update().catch(() => {}), betweenChecks))
      .catch(() => {})
  }

  function reloadUnseen(): void {
    // Drafts are on the server; a form that somebody looks at stays as it is.
    if (isOutdated && document.visibilityState === 'hidden') location.reload()
  }
}
