import { type SpawnOptions, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Editor, replaceText } from './editor.ts'
import type { Terminal } from './terminal.ts'

/** The text as the person left it there; or why it is unchanged. */
export type EditedOutside = { readonly editor: Editor } | { readonly failed: string }

const notFound = 127

/**
 * Opens the text in the person's own editor, `$VISUAL` or `$EDITOR`, and returns what was saved there as one edit. The
 * caller reads no keys and draws nothing meanwhile. When the signal aborts, the editor is closed.
 */
export async function editOutside(terminal: Terminal, editor: Editor, signal: AbortSignal): Promise<EditedOutside> {
  const { env } = terminal
  const command = env.VISUAL?.trim() || env.EDITOR?.trim()
  if (!command) return failure('Set $VISUAL or $EDITOR to write in an editor of your own.')
  // Only this user can open the folder.
  const folder = mkdtempSync(join(tmpdir(), 'beckon-edit-'))
  const file = join(folder, 'text.md')
  try {
    writeFileSync(file, editor.text, { mode: 0o600 })
    const problem = await run(terminal, command, file, signal)
    if (problem !== null) return failure(`${problem} Your text is unchanged.`)
    return { editor: replaceText(editor, withoutAddedLineBreak(readFileSync(file, 'utf8'), editor.text)) }
  } catch (error) {
    return failure(`${error instanceof Error ? error.message : error}. Your text is unchanged.`)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The variable may hold options, too, as in `code --wait`: a shell reads it, as for git. Null if it succeeded. */
function run({ input, output, env }: Terminal, command: string, file: string, signal: AbortSignal) {
  const { promise, resolve } = Promise.withResolvers<string | null>()
  const screen = output.fd ?? 'inherit'
  const options: SpawnOptions = { stdio: [input.fd ?? 'inherit', screen, screen], env, signal }
  const child =
    process.platform === 'win32'
      ? spawn(`${command} "${file}"`, { ...options, shell: true })
      : spawn('/bin/sh', ['-c', `${asProcess(command)} "$@"`, command, file], options)
  // When the signal has aborted, it still takes a moment until the editor has left the terminal.
  child.on('error', error => signal.aborted || resolve(`${error.message}.`))
  child.on('exit', (code, name) => {
    if (code === 0) resolve(null)
    else if (code === notFound) resolve(`${command} was not found.`)
    else resolve(`${command} ended with ${code === null ? name : `exit code ${code}`}.`)
  })
  return promise
}

/** In place of the shell, so that closing it closes the editor. */
function asProcess(command: string): string {
  return /^\w+=/.test(command) ? command : `exec ${command}`
}

/** Editors end a file with a line break, which is not part of what was written. */
function withoutAddedLineBreak(saved: string, before: string): string {
  const text = saved.replaceAll('\r\n', '\n')
  return before.endsWith('\n') ? text : text.replace(/\n$/, '')
}

function failure(failed: string): EditedOutside {
  return { failed }
}
