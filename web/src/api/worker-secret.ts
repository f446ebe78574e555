// The service worker answers from a notification only where the person allowed it on this device. It cannot read what the
// page stores in localStorage, so what it needs is in a database, and only as long as it is allowed.

import { base } from '../base.ts'

export function giveToWorker(secret: string | null): Promise<void> {
  return new Promise((resolve, reject) => {
    const opening = indexedDB.open(`beckon${base}`, 1)
    opening.onupgradeneeded = () => opening.result.createObjectStore('worker')
    opening.onerror = () => reject(opening.error)
    opening.onsuccess = () => {
      const database = opening.result
      const change = database.transaction('worker', 'readwrite')
      const stored = change.objectStore('worker')
      if (secret === null) stored.delete('page')
      else stored.put(secret, 'page')
      change.onerror = () => reject(change.error)
      change.oncomplete = () => {
        database.close()
        resolve()
      }
    }
  })
}
