import { closeSync, existsSync, fsyncSync, ftruncateSync, mkdirSync, openSync, readFileSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'
import { BeckonError } from '../../protocol/errors.ts'
import { type Entry, entrySchema, type NewEntry } from './entries.ts'

/** The file of one conversation. A line that was appended is on the disk before anything else happens. */
export interface Journal {
  readonly file: string
  append(entry: NewEntry): Entry
  close(): void
}

/** Opens it to append, and reads what is there. Half a line at the end was never told to anybody, and goes. */
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
        // Nothing follows from the end of a turn.
        if (entry.type !== 'ended') fsyncSync(fd)
        return dated
      },
      close: () => closeSync(fd),
    },
  }
}

/** Every entry, and how many bytes of the file are whole lines. */
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

/** The name of a new file is on the disk only when its folder is. */
function syncFolder(folder: string): void {
  if (process.platform === 'win32') return
  const fd = openSync(folder, 'r')
  fsyncSync(fd)
  closeSync(fd)
}
