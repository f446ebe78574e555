import { closeSync, existsSync, fsyncSync, ftruncateSync, mkdirSync, openSync, readFileSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'
import { BeckonError } from '../../protocol/errors.ts'
import { type Entry, entrySchema, type NewEntry } from './entries.ts'

/** The file of one conversation. An appended line is on the disk before anything else happens. */
export interface Journal {
  readonly file: string
  append(entry: NewEntry): Entry
  close(): void
}

/** Opens the file to append, and reads its entries. Drops half a line at the end: nothing followed from it. */
export function openJournal(file: string, now: () => number = Date.now): { journal: Journal; entries: Entry[] } {
  const isNew = !existsSync(file)
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  const fd = openSync(file, 'a+', 0o600)
  const { entries, whole } = readEntries(file)
  ftruncateSync(fd, whole)
  if (isNew) syncFolder(dirname(file))
  return {
    entries,
    journal: {
      file,
      append(entry) {
        const dated = { ...entry, at: new Date(now()).toISOString() } as Entry
        writeAll(fd, Buffer.from(`${JSON.stringify(dated)}\n`))
        // Nothing depends on the end of a turn.
        if (entry.type !== 'ended') fsyncSync(fd)
        return dated
      },
      close: () => closeSync(fd),
    },
  }
}

/** Every entry, and how many bytes of the file are complete lines. */
export function readEntries(file: string): { entries: Entry[]; whole: number } {
  const bytes = readFileSync(file)
  const whole = bytes.lastIndexOf('\n') + 1
  const lines = bytes.subarray(0, whole).toString('utf8').split('\n').slice(0, -1)
  return { entries: lines.map((line, i) => parseLine(line, file, i + 1)), whole }
}

function parseLine(line: string, file: string, number: number): Entry {
  try {
    return entrySchema.parse(JSON.parse(line))
  } catch (error) {
    throw new BeckonError('damaged', `${file}: line ${number} cannot be read.`, null, error)
  }
}

function writeAll(fd: number, bytes: Buffer): void {
  for (let at = 0; at < bytes.length; ) at += writeSync(fd, bytes, at)
}

/** A new file survives a crash only once its folder is synced. */
function syncFolder(folder: string): void {
  if (process.platform === 'win32') return
  const fd = openSync(folder, 'r')
  fsyncSync(fd)
  closeSync(fd)
}
