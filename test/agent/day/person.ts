import { type Sandbox, until } from '../../cli/sandbox.ts'
import { type TerminalOptions, terminal } from '../../cli/tmux.ts'

export type Person = ReturnType<typeof sitDown>

/** A person in front of a terminal in which the agent runs. */
export function sitDown(sandbox: Sandbox, args: string[], env: Record<string, string>, size: TerminalOptions = {}) {
  const screen = terminal(sandbox, args, env, size)
  return { ...screen, sandbox, send, seesEnd, choose, answer, decline, transcript, kill, leave }

  /** Presses Enter once the text is there: text and Enter in one go are a paste. */
  async function send(text: string): Promise<void> {
    screen.write(text)
    await screen.shows(text)
    screen.press('Enter')
  }

  /** Waits until the turn has ended with these words. */
  async function seesEnd(ending: string): Promise<void> {
    await screen.shows(ending)
    await until(() => !screen.screen().includes('Esc to stop'), 'the end of the turn')
  }

  /** Chooses an option by its number, once it is there. */
  async function choose(label: string): Promise<void> {
    await screen.shows(new RegExp(`\\d\\. ${label}[\\s\\S]*Enter choose`))
    const [, number = ''] = new RegExp(`(\\d)\\. ${label}`).exec(screen.screen()) ?? []
    screen.press(number)
    await screen.shows(`❯ ${number}. ${label}`)
    screen.press('Enter')
  }

  /** Writes an answer, once the question is there. */
  async function answer(question: string, text: string): Promise<void> {
    await screen.shows(question)
    await screen.shows('Enter send')
    await send(text)
  }

  async function decline(command: string, reason: string): Promise<void> {
    await screen.shows(command)
    await choose('no, and tell it why')
    await screen.shows('Why do you decline')
    await send(reason)
  }

  /** Everything that the terminal shows and has shown, with wrapped lines joined. */
  function transcript(): string[] {
    return screen
      .tmux('capture-pane', '-p', '-J', '-S', '-')
      .split('\n')
      .map(line => line.trimEnd())
  }

  async function kill(): Promise<void> {
    const [run] = await sandbox.hub.runs.list()
    process.kill(run?.pid ?? 0, 'SIGKILL')
    await screen.end()
  }

  async function leave(): Promise<void> {
    screen.press('C-d')
    await screen.end()
  }
}
