import { resolve } from 'node:path'
import type { Json } from '../../protocol/canonical-json.ts'
import { userHome } from '../../system/user-home.ts'
import type { WantedFile } from '../change.ts'
import { readConfig } from '../config-file.ts'
import type { FoundAgent } from '../find-agent.ts'
import { isOurs } from '../text/content.ts'
import { parseJson } from '../text/json.ts'

/** An agent that setup knows: where it reads its configuration, what belongs there, and what it does with it. */
export interface Agent {
  /** Its program, and what people type. */
  readonly name: AgentName
  readonly title: string
  /** The first version whose hooks can be made to block when they fail; null where every version will do. */
  readonly hooksSince: string | null
  /** The files, with what belongs into them. */
  files(place: Place, door: Door, options: SetupOptions): WantedFile[]
  /** What a person must know or do beside. */
  notes(place: Place, options: SetupOptions): string[]
  /** The MCP server as the agent would start it. */
  server(place: Place, found: FoundAgent | null): Promise<Started | null>
  /** The hooks as the agent would start them. */
  hooks(place: Place): InstalledHook[]
}

type AgentName = 'claude' | 'codex' | 'opencode' | 'gemini'

/** Whose configuration: a user's, or that of one folder. */
export interface Place {
  readonly env: NodeJS.ProcessEnv
  readonly project: string | null
}

/** How Beckon is started: absolute paths, and the hub in variables. */
export interface Door {
  readonly node: string
  readonly beckon: string
  readonly env: { readonly [name: string]: string }
  /** The text of the plugin that opencode loads. */
  readonly opencodePlugin: () => string
}

export interface SetupOptions {
  readonly mcp: boolean
  readonly hooks: boolean
  /** For Claude: resume a session whose deferred call was answered. */
  readonly resume: boolean
  /** For Claude: let a person review the work when the agent stops. */
  readonly review: boolean
}

/** A program as a host starts it. */
export interface Started {
  readonly command: string
  readonly args: readonly string[]
  readonly env: NodeJS.ProcessEnv
}

export interface InstalledHook {
  readonly event: string
  /** For a shell; null where the host loads a file instead. */
  readonly command: string | null
  readonly file: string
  readonly env: NodeJS.ProcessEnv
}

export function homeFolder(env: NodeJS.ProcessEnv): string {
  return resolve(env.HOME || userHome() || '/')
}

/** The value at a path of a JSON file; undefined where it, or the file, does not exist or cannot be read. */
export function readValue(file: string, path: readonly string[]): Json | undefined {
  let value: Json | undefined
  try {
    value = parseJson(readConfig(file) ?? '')
  } catch {
    return undefined
  }
  for (const key of path) value = isObject(value) ? value[key] : undefined
  return value
}

/** A server in the form that most agents share: `{ "command", "args", "env" }`. */
export function readServer(value: Json | undefined, env: NodeJS.ProcessEnv): Started | null {
  if (!isObject(value) || typeof value.command !== 'string') return null
  return { command: value.command, args: textsOf(value.args), env: { ...env, ...variablesOf(value.env) } }
}

/** Our hooks in the form that most agents share: `{ EVENT: [ { "hooks": [ { "command" } ] } ] }`. */
export function readHooks(file: string, env: NodeJS.ProcessEnv): InstalledHook[] {
  const events = readValue(file, ['hooks'])
  if (!isObject(events)) return []
  return Object.entries(events).flatMap(([event, groups]) =>
    listOf(groups)
      .flatMap(group => (isObject(group) ? listOf(group.hooks) : []))
      .flatMap(hook => (isObject(hook) && typeof hook.command === 'string' ? hook.command : []))
      .filter(command => isOurs(command) && /\bhook\b/.test(command))
      .map(command => ({ event, command, file, env })),
  )
}

export function isObject(value: Json | undefined): value is { [key: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function listOf(value: Json | undefined): Json[] {
  return Array.isArray(value) ? value : []
}

export function textsOf(value: Json | undefined): string[] {
  return listOf(value).filter(item => typeof item === 'string')
}

export function variablesOf(value: Json | undefined): Record<string, string> {
  if (!isObject(value)) return {}
  return Object.fromEntries(
    Object.entries(value).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  )
}
