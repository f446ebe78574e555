import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline/promises'
import { BeckonError } from '../../protocol/errors.ts'
import type { Agent, Door, Place, SetupOptions } from '../../setup/agents/agent.ts'
import { carryOut, type FileChange, isSetUp, planChanges, whileLocked } from '../../setup/change.ts'
import { type FoundAgent, findAgent, isAtLeast } from '../../setup/find-agent.ts'
import { readRecord, removeRecord, type SetupRecord } from '../../setup/record.ts'
import { diffLines } from '../../setup/text/diff.ts'
import { isOfProject, refuseLinksOut } from '../../setup/within-project.ts'
import { homeOf } from '../../system/home.ts'
import { harmless } from '../../text/harmless.ts'
import type { Context } from '../context.ts'
import { exitCodes } from '../output/exit-codes.ts'
import { printJson } from '../output/print-json.ts'
import { deleteUnusedToken, describeDoor, keepToken } from './door.ts'

export interface SetUpOptions {
  project?: boolean
  undo?: boolean
  dryRun?: boolean
  yes?: boolean
  hooks: boolean
  mcp: boolean
  resume?: boolean
  review?: boolean
  json?: boolean
}

/** Connects an agent, or undoes that: finds it, shows what will be written, asks, and writes. */
export async function setUp(context: Context, agent: Agent, options: SetUpOptions): Promise<number> {
  const { env, cwd } = context
  const home = homeOf(env)
  const place: Place = { env, project: options.project ? projectOf(cwd) : null }
  const found = await findAgent(agent.name, env)
  const reply = createReply(context, agent, found, options)
  if (options.undo) return withLock(() => undo(context, { home, agent, place, found, options, reply }))
  if (found === null) throw notFound(agent)
  const wishes = wishesOf(agent, found, options, reply)
  return withLock(() => connect(context, { home, agent, place, found, options, reply }, wishes))

  /** Looking changes nothing, so it needs no lock. */
  function withLock(work: () => Promise<number>): Promise<number> {
    return options.dryRun ? work() : whileLocked(home, work)
  }
}

interface Job {
  home: string
  agent: Agent
  place: Place
  found: FoundAgent | null
  options: SetUpOptions
  reply: Reply
}

async function connect(context: Context, job: Job, wishes: SetupOptions): Promise<number> {
  const { home, agent, place, options, reply } = job
  const { record, keptIn } = await findRecord(job)
  const wanted = agent.files(place, describeDoor(context), wishes)
  if (place.project !== null) refuseLinksOut(place.project, wanted)
  if (isSetUp(wanted, record) && (record === null || keptIn === home)) {
    if (!options.dryRun) keepToken(context)
    return reply.end('unchanged', `${agent.title} is already set up.`, [])
  }
  const changes = planChanges(wanted, record)
  reply.show(changes)
  const notes = agent.notes(place, wishes)
  if (options.dryRun) return reply.end('planned', 'Nothing was written.', changes, notes)
  await confirm(context, options, 'Write this?')
  keepToken(context)
  carryOut(home, { agent: agent.name, project: place.project }, changes, record)
  if (record !== null && keptIn !== home) removeRecord(keptIn, record)
  deleteUnusedToken(keptIn)
  return reply.end('written', `${agent.title} is set up. Check it: beckon doctor`, changes, notes)
}

async function undo(context: Context, job: Job): Promise<number> {
  const { agent, options, reply } = job
  const { record, keptIn } = await findRecord(job)
  if (record === null)
    return reply.end('unchanged', `There is nothing to undo: Beckon has not set up ${agent.title}.`, [])
  const changes = planChanges([], record)
  reply.show(changes)
  if (options.dryRun) return reply.end('planned', 'Nothing was written.', changes)
  await confirm(context, options, 'Remove this?')
  carryOut(keptIn, record, changes, null)
  deleteUnusedToken(keptIn)
  return reply.end('removed', `${agent.title} is as it was before.`, changes)
}

/** What an earlier setup recorded: in this home, or in the one that the agent is connected to. */
async function findRecord({ home, agent, place, found }: Job): Promise<{ record: SetupRecord | null; keptIn: string }> {
  const server = await agent.server(place, found)
  const commands = agent.hooks(place).map(({ command }) => command ?? '')
  const others = commands.map(command => /'BECKON_HOME=([^']*)'|BECKON_HOME=(\S+)/.exec(command))
  const homes = [home, server?.env.BECKON_HOME, ...others.map(match => match?.[1] ?? match?.[2])]
  for (const keptIn of homes) {
    const record = keptIn ? readRecord(keptIn, { agent: agent.name, project: place.project }) : null
    if (record && keptIn && (keptIn === home || isBelieved(record))) return { record, keptIn }
  }
  return { record: null, keptIn: home }

  /** A repository may bring files that name a home, and a record in it. */
  function isBelieved(record: SetupRecord): boolean {
    if (place.project === null) return true
    const everything = { mcp: true, hooks: true, resume: false, review: false }
    return isOfProject(record, place.project, agent.files(place, noDoor, everything))
  }
}

/** Enough to know which files an agent has. */
const noDoor: Door = { node: '', beckon: '', env: {}, opencodePlugin: () => '' }

function wishesOf(agent: Agent, { version }: FoundAgent, options: SetUpOptions, reply: Reply): SetupOptions {
  const { mcp, resume = false, review = false } = options
  if (agent.name !== 'claude' && (resume || review)) {
    throw new BeckonError('invalid', `--${resume ? 'resume' : 'review'} works with Claude Code only.`)
  }
  if (!mcp && !options.hooks)
    throw new BeckonError('invalid', 'With --no-mcp and --no-hooks, nothing is left to set up.')
  const failOpen = agent.hooksSince !== null && !isAtLeast(version, agent.hooksSince)
  if (options.hooks && failOpen) {
    const why = `${agent.title} ${version ?? 'of an unknown version'} runs a command although its hook fails, so it gets no hooks. Version ${agent.hooksSince} and newer are fine.`
    if (!mcp) throw new BeckonError('unsupported', why)
    reply.warn(`${why} Only the MCP server is set up.`)
  }
  return { mcp, hooks: options.hooks && !failOpen, resume, review }
}

async function confirm(context: Context, { yes }: SetUpOptions, question: string): Promise<void> {
  if (yes) return
  if (!context.isTerminal) {
    throw new BeckonError('invalid', 'There is no terminal to confirm it on, so nothing was written. Add --yes.')
  }
  const lines = createInterface({ input: context.stdin, output: context.stderr })
  const stopped = new Promise<string>(done => lines.once('close', () => done('')))
  const answer = await Promise.race([lines.question(`${question} [y/N] `), stopped]).finally(() => lines.close())
  if (!/^y(es)?$/i.test(answer.trim())) throw new BeckonError('invalid', 'Nothing was written.')
}

type Reply = ReturnType<typeof createReply>

/** What a person reads on stderr, and scripts as one document. */
function createReply(context: Context, agent: Agent, found: FoundAgent | null, { json = false }: SetUpOptions) {
  const warnings: string[] = []
  const { stderr, stdout } = context
  return { warn, show, end }

  function warn(text: string): void {
    warnings.push(text)
    stderr.write(`${harmless(text)}\n`)
  }

  function show(changes: readonly FileChange[]): void {
    const version = found?.version ? ` ${found.version}` : ''
    stderr.write(`${harmless(`${agent.title}${version}${found ? `, ${found.program}` : ''}`)}\n`)
    const shorten = sayOnce()
    for (const { path, before, after } of changes) {
      const how = before === null ? ' (new)' : after === null ? ' (deleted)' : ''
      stderr.write(`\n${harmless(`${path}${how}`)}\n`)
      for (const line of diffOf({ before, after })) stderr.write(`  ${harmless(shorten(line))}\n`)
    }
    stderr.write('\n')
  }

  async function end(
    status: string,
    said: string,
    changes: readonly FileChange[],
    notes: string[] = [],
  ): Promise<number> {
    stderr.write(`${harmless(said)}\n`)
    for (const note of notes) stderr.write(`${harmless(note)}\n`)
    const files = changes.map(({ path, before, after }) => ({
      path,
      created: before === null,
      deleted: after === null,
      diff: diffOf({ before, after }),
    }))
    const version = found?.version ?? null
    if (json) await printJson(stdout, { agent: agent.name, version, status, files, notes: [...warnings, ...notes] })
    return exitCodes.fine
  }
}

/** Hooks share a long script, which nobody could read around if it were shown for each of them. */
function sayOnce(): (line: string) => string {
  const said = new Set<string>()
  return line =>
    line.replace(/(?<=sh -c )'[^']+'/g, script => {
      if (said.has(script)) return "'… the same script …'"
      said.add(script)
      return script
    })
}

function diffOf({ before, after }: Pick<FileChange, 'before' | 'after'>): string[] {
  return diffLines(before ?? '', after ?? '')
}

function notFound({ name, title }: Agent): BeckonError {
  return new BeckonError('not_found', `${title} was not found: there is no ${name} on PATH. Install it, and try again.`)
}

/** The repository that the directory is in, because agents look there; else the directory itself. */
export function projectOf(cwd: string): string {
  for (let folder = cwd; ; folder = dirname(folder)) {
    if (existsSync(join(folder, '.git'))) return folder
    if (folder === dirname(folder)) return cwd
  }
}
