import { type Argument, literal, origins, unknownText } from '../../interpret/arguments.ts'
import { fileStream } from '../../interpret/files.ts'
import type { ProgramCall } from '../../program-call.ts'

/** One setting of git that holds for a call or from now on. */
interface GitSetting {
  key: string
  value: string
  from: number
}

/** Settings whose value git runs, as a program or as shell code. */
const programKeys =
  /^(?:core\.(?:pager|editor|sshcommand|askpass|gitproxy|fsmonitor|alternaterefscommand)|pager\..+|sequence\.editor|diff\.external|diff\..+\.(?:command|textconv)|(?:difftool|mergetool|man|browser|guitool)\..+\.(?:cmd|path)|merge\..+\.driver|filter\..+\.(?:clean|smudge|process)|gpg\.(?:.+\.)?program|gpg\.ssh\.defaultkeycommand|credential\.(?:.+\.)?helper|trailer\..+\.(?:cmd|command)|tar\..+\.command|uploadpack\.packobjectshook|interactive\.difffilter|submodule\..+\.update|remote\..+\.(?:uploadpack|receivepack|vcs)|sendemail\.(?:.+\.)?(?:tocmd|cccmd|headercmd|sendmailcmd|smtpserver)|lfs\.(?:customtransfer|extension)\..+\.(?:path|clean|smudge)|hook\..+\.command|instaweb\.(?:browser|httpd)|(?:help|web)\.browser)$/i

/** Settings that name a file or a folder with hooks or more settings. */
const folderKeys = /^(?:core\.hookspath|init\.templatedir|include\.path|includeif\..+\.path)$/i

export function runsProgram(key: string): boolean {
  return programKeys.test(key)
}

/** The settings that a call brings along: `-c`, `--config-env`, `GIT_CONFIG_*`, and files of settings that this command wrote. */
export function settingsOf(call: ProgramCall): GitSetting[] {
  const given = call.values('-c', '--config').flatMap(({ value, from }) => settingIn(value, from))
  if (!setsVariables(call)) return given
  const named = call.values('--config-env').flatMap(({ value }) => {
    const at = value.lastIndexOf('=')
    const text = variable(call, value.slice(at + 1))
    return at > 0 && text !== null ? [{ key: value.slice(0, at), value: text, from: 0 }] : []
  })
  return [...given, ...named, ...countedSettings(call), ...quotedSettings(call), ...settingsInFiles(call)]
}

function settingIn(text: string, from: number): GitSetting[] {
  const at = text.indexOf('=')
  return at > 0 ? [{ key: text.slice(0, at), value: text.slice(at + 1), from }] : []
}

/** GIT_CONFIG_COUNT, GIT_CONFIG_KEY_0, GIT_CONFIG_VALUE_0 … */
function countedSettings(call: ProgramCall): GitSetting[] {
  const count = Math.min(Number(variable(call, 'GIT_CONFIG_COUNT') ?? 0) || 0, 32)
  return Array.from({ length: count }, (_, i) => ({
    key: variable(call, `GIT_CONFIG_KEY_${i}`) ?? '',
    value: variable(call, `GIT_CONFIG_VALUE_${i}`) ?? '',
    from: 0,
  }))
}

/** GIT_CONFIG_PARAMETERS="'key'='value' 'key=value'" */
function quotedSettings(call: ProgramCall): GitSetting[] {
  const text = variable(call, 'GIT_CONFIG_PARAMETERS') ?? ''
  return [...text.matchAll(/'([^'=]+)(?:'='|=)([^']*)'/g)].map(([, key = '', value = '']) => ({ key, value, from: 0 }))
}

const fileVariables = ['GIT_CONFIG_GLOBAL', 'GIT_CONFIG_SYSTEM', 'GIT_CONFIG']

function settingsInFiles(call: ProgramCall): GitSetting[] {
  return fileVariables.flatMap(name => {
    const path = variable(call, name)
    const { text, from } = path ? fileStream(literal(path, call.frame.span), call.frame.scope) : { text: null, from: 0 }
    return text ? settingsInText(text, from) : []
  })
}

/** `[core "x"]`, then lines of `key = value`. */
function settingsInText(text: string, from: number): GitSetting[] {
  let section = ''
  return text.split('\n').flatMap(line => {
    const header = /^\s*\[([\w.-]+)(?:\s+"([^"]*)")?\]\s*(.*)$/.exec(line)
    if (header) section = header[2] === undefined ? (header[1] ?? '') : `${header[1]}.${header[2]}`
    const [key = '', ...value] = (header ? (header[3] ?? '') : line).split('=')
    return value.length > 0
      ? [{ key: `${section}.${key.trim()}`, value: value.join('=').trim().replace(/^"|"$/g, ''), from }]
      : []
  })
}

/** A variable that this command sets; what the user's own environment says is their business. */
export function variable({ frame }: ProgramCall, name: string): string | null {
  return frame.env.get(name)?.text ?? frame.scope.variables.get(name)?.text ?? null
}

/** Whether this command sets any: few do, and git knows dozens. */
function setsVariables({ frame }: ProgramCall): boolean {
  return frame.env.size > 0 || frame.scope.variables.size > 0
}

const programVariables = [
  'GIT_SSH',
  'GIT_SSH_COMMAND',
  'GIT_ASKPASS',
  'SSH_ASKPASS',
  'GIT_PROXY_COMMAND',
  'GIT_EXTERNAL_DIFF',
  'GIT_PAGER',
  'GIT_EDITOR',
  'GIT_SEQUENCE_EDITOR',
]
const folderVariables = ['GIT_EXEC_PATH', 'GIT_TEMPLATE_DIR']

/** The commands in variables that git runs. */
export function commandsInVariables(call: ProgramCall): string[] {
  return setsVariables(call) ? programVariables.flatMap(name => variable(call, name) ?? []) : []
}

/** Whether a call makes git run a program, or use hooks or settings, that are neither the system's nor the workspace's. */
export function usesForeignCode(call: ProgramCall): boolean | Argument {
  const settings = settingsOf(call)
  const options = call.parsed.options.filter(({ name }) =>
    ['--exec-path', '--template', '--upload-pack', '--receive-pack'].includes(name),
  )
  return (
    commandsInVariables(call).some(command => isForeignProgram(command, call)) ||
    folderVariables.some(name => isForeign(variable(call, name), call)) ||
    fileVariables.some(name => isForeignFile(variable(call, name), call)) ||
    settings.some(({ key, value }) => programKeys.test(key) && isForeignProgram(value, call)) ||
    settings.some(({ key, value }) => folderKeys.test(key) && isForeign(value, call)) ||
    settings.some(({ key, value }) => /^protocol\.(?:ext\.)?allow$/i.test(key) && /^always$/i.test(value)) ||
    (options.find(({ value }) => value !== null && isForeignProgram(value.value, call))?.value ?? false)
  )
}

/** The program of a command line, or the script that its shell reads. */
function isForeignProgram(command: string, call: ProgramCall): boolean {
  const [first = '', second = '', third = ''] = command.replace(/^!\s*/, '').trim().split(/\s+/)
  if (first.includes('/')) return isForeign(first, call)
  const script = second.startsWith('-') ? third : second
  return (
    /^(?:sh|bash|zsh|dash|ksh|python[\d.]*|perl|ruby|node|php|source|\.)$/.test(first) &&
    script.includes('/') &&
    isForeign(script, call)
  )
}

/** A file of settings that was downloaded, or that somebody put into a folder for temporary files. */
function isForeignFile(path: string | null, call: ProgramCall): boolean {
  if (!path || path === '/dev/null') return false
  const { text, from } = fileStream(literal(path, call.frame.span), call.frame.scope)
  return (from & origins.network) !== 0 || (text === null && call.pathClass(literal(path, call.frame.span)) === 'tmp')
}

export function isForeign(path: string | null, call: ProgramCall): boolean {
  if (!path || path.includes(unknownText) || /^["']?\/dev\/null/.test(path) || systemPrograms.test(path)) return false
  const value = path.replace(/^["']/, '').replace(/^~(?=\/|$)/, call.context.home)
  return ['tmp', 'outside', 'home', 'root', 'system'].includes(call.pathClass(literal(value, call.frame.span)))
}

const systemPrograms =
  /^["']?(?:\/(?:usr\/)?(?:local\/)?(?:s?bin|lib|libexec|share)\/|\/opt\/|\/Applications\/|\/nix\/|\/snap\/|[A-Z]:)/
