import { realpathSync, statSync } from 'node:fs'
import { classify, type Segment } from '../guard/index.ts'
import { type Facts, factLimits } from '../protocol/facts.ts'
import { commandLine } from './command-line.ts'
import { steeringVariables } from './environment.ts'
import { BoundFiles } from './facts/bound-files.ts'
import { CodeSearch } from './facts/code-search.ts'
import type { Hmac } from './facts/hmac.ts'
import { addNamedFile, addNamedFiles } from './facts/named-files.ts'
import { shellFor } from './facts/programs.ts'
import { Sentences } from './facts/sentences.ts'
import { type CommandContext, lookingOptions } from './workspace.ts'

// More folders than this: the files in them are looked for in the first ones only.
const maxFolders = 20

/** What the guard read to get to its verdict. */
interface GuardReading {
  readonly segments?: readonly Segment[]
  /** The files that it looked inside. */
  readonly looked?: readonly string[]
}

/**
 * What a yes to a command is bound to besides its words and its folder: the programs that it starts, the code that it
 * runs, the files that it names, and the variables that steer it. It is taken when the command is shown and again right
 * before it runs; everything that could be added in between appears as a difference.
 */
export function takeFacts(words: readonly string[], context: CommandContext, read: GuardReading, hmac: Hmac): Facts {
  const { cwd, env } = context
  const command = commandLine(words)
  // A program may bring a guard of its own that tells only its verdict.
  const { segments, looked } = read.segments
    ? { segments: read.segments, looked: read.looked ?? [] }
    : classify(command, lookingOptions(context))
  const files = new BoundFiles(hmac)
  const sentences = new Sentences()
  const search = new CodeSearch(files, sentences)

  search.addProgram(words.length === 1 ? shellFor(cwd, env) : (words[0] ?? ''), context)
  search.read(segments, context)
  // The verdict rests on them.
  for (const path of looked) files.addCode(path)
  sayWhatIsUnknown(command, env, sentences)
  const isOpaque = search.runsCode

  const folders = [...new Set([cwd, ...search.folders])]
  if (folders.length > maxFolders)
    sentences.add(`It works in more than ${maxFolders} folders; files are bound in some of them.`)
  const searched = folders.slice(0, maxFolders)
  for (const { argv, cwd: folder } of segments)
    for (const word of argv) addNamedFile(word, folder === null ? searched : [folder], files, sentences)
  for (const word of words) addNamedFiles(word, searched, env, files, sentences)
  for (const { text, folders: around } of search.texts) addNamedFiles(text, around, env, files, sentences)
  if (files.isFull) sentences.add(`It runs or names more than ${factLimits.files} files; the others are not bound.`)

  const named = search.texts.flatMap(({ text }) => variablesOf(text))
  const environment = steeringVariables(env, command, hmac, isOpaque ? ['PATH', ...named] : [])
  if (environment.length > factLimits.environment)
    sentences.add(`More than ${factLimits.environment} variables steer it; the others are not passed on.`)
  return {
    ...folderFact(cwd),
    files: files.list(),
    programs: search.programs,
    environment: environment.slice(0, factLimits.environment),
    unbound: sentences.list(),
  }
}

/** Nothing where it cannot be looked at: then the command cannot run there either. */
function folderFact(cwd: string): Pick<Facts, 'folder'> {
  try {
    const folder = realpathSync(cwd)
    const { dev, ino } = statSync(folder, { bigint: true })
    return { folder: `${folder} ${dev}:${ino}` }
  } catch {
    return {}
  }
}

function sayWhatIsUnknown(command: string, env: NodeJS.ProcessEnv, sentences: Sentences): void {
  if (/(^|[\s;&|(])PATH\+?=/.test(command))
    sentences.add('It changes PATH: which programs its names mean is known only at run time.')
  for (const [, written = '', name = ''] of command.matchAll(startedByVariable)) {
    if (env[name] === undefined) sentences.add(`It starts ${written}, whose name is known only at run time.`)
  }
  for (const [, written = '', name = ''] of command.matchAll(/<\s*["']?([^\s"'<>()&|;]*\$\{?(\w+)[^\s"'<>()&|;]*)/g)) {
    if (env[name] === undefined) sentences.add(`It reads ${written}, whose name is known only at run time.`)
  }
}

// ./deploy-$stage.sh, where a command begins.
const startedByVariable = /(?:^|[;&|({]|\b(?:then|do|else)\s)\s*"?([^\s;&|=(){"'<>$]*\$\{?(\w+)[^\s;&|()"'<>]*)/g

// They differ between two shells of the same person, and scripts that use them do not act elsewhere for it.
const ofTheSession =
  /^(_|\d+|TERM|COLORTERM|COLUMNS|LINES|PWD|OLDPWD|SHLVL|TMPDIR|TMP|TEMP|USER|LOGNAME|LANG|LANGUAGE|LC_\w+|DISPLAY|HOSTNAME|SSH_\w+|XDG_RUNTIME_DIR|NO_COLOR|CI|RANDOM|PPID|BECKON_\w+)$/

function variablesOf(script: string): string[] {
  return [...script.matchAll(/\$\{?[!#]?(\w+)/g)].map(([, name = '']) => name).filter(name => !ofTheSession.test(name))
}
