import { invalid } from '../protocol/errors.ts'
import type { Context } from './context.ts'

/** The text of a file, or of stdin for `-`. It must be valid UTF-8; no more than the limit is read. */
export async function readText(context: Context, file: string, path: string, maxLength: number): Promise<string> {
  const bytes = await readBytes(context, file, maxLength * 4).catch(error => {
    throw invalid([{ path, message: `${file} cannot be read: ${error.message}` }])
  })
  if (bytes === null) throw invalid([{ path, message: `is too long: at most ${maxLength} characters` }])
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    throw invalid([{ path, message: `${file === '-' ? 'stdin' : file} is not UTF-8 text` }])
  }
}

async function readBytes({ stdin, stderr }: Context, file: string, most: number): Promise<Buffer | null> {
  if (file === '-' && stdin.isTTY) stderr.write('Type the text, then press Ctrl-D.\n')
  const handle = file === '-' ? null : await openFile(file)
  const source = handle ? handle.createReadStream() : stdin
  const chunks: Buffer[] = []
  let size = 0
  try {
    for await (const chunk of source) {
      chunks.push(Buffer.from(chunk))
      size += chunk.length
      if (size > most) return null
    }
  } finally {
    await handle?.close()
  }
  return Buffer.concat(chunks)
}

/** Imported for files only: every command starts faster without it. */
async function openFile(file: string) {
  const { open } = await import('node:fs/promises')
  return open(file, 'r')
}
