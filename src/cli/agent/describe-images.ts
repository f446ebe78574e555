import type { TakenImage } from '../../agent/images/store.ts'
import { harmlessTitle } from '../../text/harmless.ts'

/** One line for each image that a message named. */
export function describeImages(images: readonly TakenImage[]): string[] {
  return images.map(({ path, bytes, why }) => {
    const name = harmlessTitle(path)
    return why ? `${name} was not sent: ${why}.` : `Sent ${name} (${Math.ceil(bytes / 1_000).toLocaleString('en')} kB).`
  })
}
