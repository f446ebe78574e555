import type { Result, Running, Sandbox } from './sandbox.ts'
import { askUserQuestion } from './sandbox.ts'

type Options = NonNullable<Parameters<Sandbox['start']>[1]>

/** A valid question of AskUserQuestion, with the fields that a test changes. */
export function question(more: Record<string, unknown> = {}) {
  return {
    question: 'Which database?',
    header: 'Database',
    options: [option('SQLite'), option('PostgreSQL')],
    multiSelect: false,
    ...more,
  }
}

export function option(label: string, more: Record<string, unknown> = {}) {
  return { label, description: `about ${label}`, ...more }
}

/** The JSON argument of a call with these questions. */
export function questions(...asked: unknown[]): string {
  return JSON.stringify({ questions: asked })
}

/** AskUserQuestion in a sandbox. */
export function questioner({ start }: Sandbox) {
  return { startAsking, ask }

  function startAsking(args: string[], options: Options = {}): Running {
    return start(args, { ...options, launcher: askUserQuestion })
  }

  function ask(args: string[], options: Options = {}): Promise<Result> {
    return startAsking(args, options).result
  }
}
