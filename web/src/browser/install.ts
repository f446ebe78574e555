// Chromium says that a page can be installed once, early, and only then: it must be remembered for the settings.

interface InstallEvent extends Event {
  prompt(): Promise<unknown>
}

let offered: (() => Promise<void>) | null = null
const listeners = new Set<() => void>()

window.addEventListener('beforeinstallprompt', event => {
  event.preventDefault()
  const install = event as InstallEvent
  set(async () => {
    await install.prompt()
    // It works once, whatever the person chose.
    set(null)
  })
})
window.addEventListener('appinstalled', () => set(null))

/** Lets the browser ask whether to install the page; null where it does not offer that. */
export function installPrompt(): (() => Promise<void>) | null {
  return offered
}

export function isInstalled(): boolean {
  return matchMedia('(display-mode: standalone)').matches
}

export function onInstallChange(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function set(now: typeof offered): void {
  offered = now
  for (const listener of listeners) listener()
}
