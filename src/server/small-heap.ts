import { setFlagsFromString } from 'node:v8'

/**
 * A burst of connections makes V8 double its young generation again and again, up to 128 MB, for good. Set once the
 * server is loaded and that generation has a few megabytes: more gains little, and with ten thousand connections held
 * open it would be a quarter of their memory.
 */
export function keepHeapSmall(): void {
  setFlagsFromString('--semi-space-growth-factor=1')
}
