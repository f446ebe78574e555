import { existsSync } from 'node:fs'
import { basename } from 'node:path'
import { allConversations, type Conversation, readConversation } from '../../agent/journal/folder.ts'
import { BeckonError } from '../../protocol/errors.ts'
import { homeOf } from '../../system/home.ts'
import { pick } from '../../terminal/pick.ts'
import { ageOf } from '../../text/age.ts'
import { harmlessTitle } from '../../text/harmless.ts'
import { cut, pad } from '../../text/width.ts'
import type { Context } from '../context.ts'
import { exitCodes } from '../output/exit-codes.ts'
import { print } from '../output/print.ts'
import { converse } from './converse.ts'
import type { AgentCommandOptions } from './options.ts'

const mostListed = 200

/** Continues a conversation that the person picks, in its own directory. Off a terminal it lists them. */
export async function resume(
  context: Context,
  task: string | undefined,
  { resume: named, ...options }: AgentCommandOptions,
): Promise<number> {
  const { stdin, stderr, env } = context
  const resumable = resumableIn(context)
  if (typeof named === 'string') return open(byId(resumable, named))
  if (resumable.length === 0) {
    stderr.write('There is no conversation to resume. Start one with: beckon agent\n')
    return exitCodes.fine
  }
  if (!context.isTerminal) {
    await print(context.stdout, `${resumable.map(one => `${basename(one.folder)}  ${describe(one)}`).join('\n')}\n`)
    stderr.write('Resume one in a terminal with: beckon agent --resume ID\n')
    return exitCodes.fine
  }
  const index = await pick(
    { input: stdin, output: stderr, env },
    {
      title: 'Resume which conversation?',
      rows: resumable.map(describe),
      searched: resumable.map(({ title, cwd }) => `${title} ${cwd}`),
      plain: options.plain ?? false,
      signal: new AbortController().signal,
    },
  )
  const picked = index === null ? undefined : resumable[index]
  if (picked) return open(picked)
  stderr.write('Nothing was resumed.\n')
  return exitCodes.fine

  function open({ folder, cwd }: Resumable): Promise<number> {
    return converse({ ...context, cwd }, 'agent', { ...options, continue: true, conversation: basename(folder) }, task)
  }

  function describe({ title, usedAt, cwd }: Resumable): string {
    const age = ageOf(new Date(usedAt).toISOString(), context.now())
    // The folder is cut first where the terminal is narrow.
    const width = Math.max(16, Math.min(50, (stderr.columns ?? 100) - 24))
    return `${pad(cut(title, width), width)}  ${age.padStart(4)}  ${harmlessTitle(cwd)}`
  }
}

type Resumable = Conversation & { readonly title: string }

/** The conversations of every directory that still exists, the most recently used first. */
function resumableIn({ env }: Context): Resumable[] {
  return allConversations(homeOf(env), 'agent')
    .filter(({ cwd }) => existsSync(cwd))
    .slice(0, mostListed)
    .flatMap(one => {
      const { title, isClosed } = readOrNull(one.folder) ?? { title: '', isClosed: true }
      return isClosed || title === '' ? [] : [{ ...one, title: harmlessTitle(title) }]
    })
}

function readOrNull(folder: string) {
  try {
    return readConversation(folder)
  } catch {
    return null
  }
}

function byId(resumable: readonly Resumable[], id: string): Resumable {
  const found = resumable.filter(({ folder }) => basename(folder) === id || basename(folder).endsWith(id))
  const [one] = found
  if (one && found.length === 1) return one
  throw new BeckonError('not_found', `There is no conversation "${id}". List them with: beckon agent --resume`)
}
