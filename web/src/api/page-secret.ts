import { base } from '../base.ts'
import { giveToWorker } from './worker-secret.ts'

// The browser sends the cookie to every server on this host, whatever the port. This second secret is stored for this
// origin alone and goes with every call: one without the other opens nothing. Two hubs below one host have one each.
const storageKey = `beckon.page${base}`
const workerKey = `beckon.worker${base}`

export function keepPage(secret: string): void {
  localStorage.setItem(storageKey, secret)
  if (workerMayAnswer()) void giveToWorker(secret).catch(() => {})
}

export function forgetPage(): void {
  localStorage.removeItem(storageKey)
  void giveToWorker(null).catch(() => {})
}

export function pageHeader(): Record<string, string> {
  const secret = localStorage.getItem(storageKey)
  return secret === null ? {} : { 'beckon-page': secret }
}

export function workerMayAnswer(): boolean {
  return localStorage.getItem(workerKey) === 'yes'
}

/** Whether the service worker may answer from a notification, as this page. */
export async function letWorkerAnswer(allowed: boolean): Promise<void> {
  await giveToWorker(allowed ? localStorage.getItem(storageKey) : null)
  localStorage.setItem(workerKey, allowed ? 'yes' : 'no')
}
