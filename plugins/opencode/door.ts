import { spawn } from 'node:child_process'
import type { Over } from './calls.ts'

// Every question to Beckon is one process: `beckon hook opencode`, with one JSON document in and one out. A process that
// is missing, killed, hanging or failing has not allowed anything.

export interface DoorOptions {
  /** The command that starts Beckon: absolute paths, where setup wrote it. */
  readonly command?: readonly string[]
  /** Which hub: BECKON_HOME, or BECKON_URL with a token that can ask. */
  readonly env?: Readonly<Record<string, string>>
  /** How long a call waits for a person before it is refused with a ticket, such as "30m". */
  readonly wait?: string
  /** After how many milliseconds the guard counts as hanging. */
  readonly limit?: number
}

/** What Beckon says. */
export interface Reply {
  /** Withdrawn: nobody needs it any more. */
  readonly decision: 'allow' | 'deny' | 'ask' | 'answered' | 'withdrawn'
  readonly reason?: string
  /** The input to run it with, where a person changed it. */
  readonly input?: Record<string, unknown>
  /** To questions: what was chosen or written, one list for each. */
  readonly answers?: readonly (readonly string[])[]
}

export interface Door {
  /** What the guard and people's rules say. Asks nobody. */
  judge(call: Subject): Promise<Reply>
  /** Asks a person, and waits. */
  ask(call: Subject): Promise<Reply>
  askQuestions(subject: Omit<Subject, 'tool' | 'input'> & { questions: unknown }): Promise<Reply>
  /** Takes back what was asked; without a session or call, all of it. */
  withdraw(over: Over): void
}

interface Subject {
  readonly session: string
  readonly id: string
  readonly tool: string
  readonly input: unknown
}

export function openDoor({ command = ['beckon'], env = {}, wait, limit = 60_000 }: DoorOptions, cwd: string): Door {
  const asking = new Map<AbortController, Over>()
  const hook = [...command, 'hook', 'opencode', ...(wait === undefined ? [] : ['--wait', wait])]
  return {
    judge: call => say({ event: 'judge', ...call }, AbortSignal.timeout(limit), 'SIGKILL'),
    ask: call => ask({ event: 'ask', ...call }),
    askQuestions: subject => ask({ event: 'question', ...subject }),
    withdraw({ session, call }) {
      for (const [controller, of] of asking) {
        if ((session ?? of.session) === of.session && (call ?? of.call) === of.call) controller.abort()
      }
    },
  }

  async function ask(document: { event: string; session: string; id: string }): Promise<Reply> {
    const controller = new AbortController()
    asking.set(controller, { session: document.session, call: document.id })
    try {
      return await say(document, controller.signal)
    } catch (error) {
      if (controller.signal.aborted) return { decision: 'withdrawn' }
      throw error
    } finally {
      asking.delete(controller)
    }
  }

  /** The signal ends Beckon. By SIGTERM, it takes back what it asked. */
  function say(document: object, signal: AbortSignal, killSignal: NodeJS.Signals = 'SIGTERM'): Promise<Reply> {
    const [program = 'beckon', ...args] = hook
    return new Promise((resolve, reject) => {
      const child = spawn(program, args, {
        cwd,
        // Inside of a run, its own hub counts.
        env: process.env.BECKON_RUN ? process.env : { ...withoutHub(process.env), ...env },
        stdio: ['pipe', 'pipe', 'pipe'],
        signal,
        // A process that hangs does not heed a milder one; and it has stored nothing yet.
        killSignal,
      })
      const output: Buffer[] = []
      const errors: Buffer[] = []
      child.stdout.on('data', chunk => output.push(chunk))
      child.stderr.on('data', chunk => errors.push(chunk))
      child.stdin.on('error', () => {})
      child.stdin.end(JSON.stringify({ ...document, cwd }))
      child.on('error', error => reject(notRun(signal.aborted ? 'it did not answer in time' : error.message)))
      child.on('close', (code, killedBy) => {
        const said = Buffer.concat(errors).toString().trim()
        if (code !== 0) return reject(notRun(said || `it ended with ${killedBy ?? `exit code ${code}`}`))
        try {
          resolve(readReply(Buffer.concat(output).toString()))
        } catch (error) {
          reject(notRun((error as Error).message))
        }
      })
    })
  }
}

/** A variable of the shell must not lead to another hub than the one that was set up. */
function withoutHub({ BECKON_URL, BECKON_DB, ...rest }: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return rest
}

function readReply(text: string): Reply {
  const reply: unknown = JSON.parse(text)
  if (reply === null || typeof reply !== 'object' || !('decision' in reply))
    throw new Error('it did not say what to do')
  return reply as Reply
}

function notRun(why: string): Error {
  return new Error(`It was not run, because Beckon could not be asked: ${why}. A person can check it: beckon doctor`)
}
