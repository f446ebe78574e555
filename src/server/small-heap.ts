import { setFlagsFromString } from 'node:v8'

/**
 * A burst of connections makes V8 double its nursery again and again, up to 128 MB, and it stays so. Said once the
 * server is loaded, when it has a few megabytes: more gains little, and with ten thousand connections held it would be
 * a quarter of their memory.
 */
export function keepHeapSmall(): void {
  setFlagsFromString('--semi-space-growth-factor=1')
}
