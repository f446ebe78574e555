import { resolve } from 'node:path'
import { factLimits } from '../../protocol/facts.ts'
import type { BoundFiles } from './bound-files.ts'
import { expandGlob, isGlob } from './globs.ts'
import type { Sentences } from './sentences.ts'

const maxParts = 5_000

/** Binds every file that a text names, as it is written or behind an option, in any of the folders. */
export function addNamedFiles(
  text: string,
  folders: readonly string[],
  env: NodeJS.ProcessEnv,
  files: BoundFiles,
  sentences: Sentences,
): void {
  const parts = [text, ...new Set(withValues(text, env).split(/[\s'"`;|&<>()=@]+/))]
  if (parts.length > maxParts)
    sentences.add(`It names more than ${maxParts} things; files among the others are not bound.`)
  for (const part of parts.slice(0, maxParts)) addNamedFile(part, folders, files, sentences)
}

/** One word of a program's arguments: it may be a path, `--file=path`, `@path` or `-fpath`, and may be a pattern. */
export function addNamedFile(word: string, folders: readonly string[], files: BoundFiles, sentences: Sentences): void {
  const candidates = new Set([word, word.replace(/^[^=]*=/, ''), word.replace(/^[@<]/, ''), word.replace(/^-\w/, '')])
  for (const candidate of candidates) {
    if (candidate === '' || candidate.length > 4_096 || candidate.includes('\0')) continue
    for (const folder of folders) {
      files.addData(resolve(folder, candidate))
      if (!isGlob(candidate) || /\s/.test(candidate)) continue
      const { paths, isCut } = expandGlob(candidate, folder, factLimits.files)
      if (isCut) sentences.add(`${candidate} stands for more files than can be bound.`)
      for (const path of paths) files.addData(path)
    }
  }
}

/** With the variables that are known: `< $FOLDER/x.sql`. */
function withValues(text: string, env: NodeJS.ProcessEnv): string {
  const values = text.replaceAll(/\$(?:\{(\w+)\}|(\w+))/g, (_, braced, bare) => env[braced ?? bare] ?? '…')
  return values.replaceAll(/(^|[\s:='"])~(?=\/)/g, (_, before) => `${before}${env.HOME ?? '~'}`)
}
