import { harmlessTitle } from '../../text/harmless.ts'
import { type Line, line } from '../../text/styled.ts'
import { cut, widthOf } from '../../text/width.ts'

const spinnerFrames = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏']
const frameTime = 80
const maxCalls = 5
// What ends sooner is not shown, only its result: lines that come and go cannot be read.
const showAfter = 80

interface Running {
  readonly title: string
  readonly since: number
  progress: string
}

/** What the agent does at this moment: its running calls, and one line with the time, the tokens and the way to stop it. */
export class Activity {
  readonly #stopKey: string
  readonly #now: () => number
  readonly #calls = new Map<string, Running>()
  #working: string | null = null
  #since = 0
  #tokens: () => number = () => 0

  constructor(stopKey: string, now: () => number = () => performance.now()) {
    this.#stopKey = stopKey
    this.#now = now
  }

  get isWorking(): boolean {
    return this.#working !== null
  }

  /** Starts the clock of the turn, unless it runs. */
  work(what: string | null, tokens = this.#tokens): void {
    if (this.#working === null) this.#since = this.#now()
    this.#working = what
    this.#tokens = tokens
  }

  begin(id: string, title: string): void {
    this.#calls.set(id, { title, since: this.#now(), progress: '' })
  }

  progress(id: string, text: string): void {
    const last = text.split('\n').findLast(one => one.trim() !== '')
    const known = this.#calls.get(id)
    if (known && last) known.progress = harmlessTitle(last)
  }

  end(id: string): void {
    this.#calls.delete(id)
  }

  lines(columns: number): Line[] {
    const now = this.#now()
    const spinner = spinnerFrames[Math.floor(now / frameTime) % spinnerFrames.length] ?? ''
    const calls = [...this.#calls.values()].filter(({ since }) => now - since >= showAfter)
    const hidden = calls.length - maxCalls
    return [
      ...calls
        .slice(0, maxCalls)
        .flatMap(({ title, progress }): Line[] => [
          [...line(`${spinner} `, 'cyan'), ...line(cut(title, columns - 2))],
          ...(progress ? [line(cut(`  ${progress}`, columns), 'dim')] : []),
        ]),
      ...(hidden > 0 ? [line(`  … ${hidden} more calls`, 'dim')] : []),
      ...(this.#working === null ? [] : [line(`${spinner} ${this.#status(calls[0], now, columns - 2)}`, 'dim')]),
    ]
  }

  /** Where there is no room, the tokens are left out first. */
  #status(call: Running | undefined, now: number, columns: number): string {
    const what = call ? (call.title.split(' ')[0] ?? '') : (this.#working ?? '')
    const age = ageOf(now - (call?.since ?? this.#since))
    const tokens = `${this.#tokens().toLocaleString('en')} tokens out`
    const stop = `${this.#stopKey} to stop`
    const whole = [what, age, tokens, stop].join(' · ')
    return widthOf(whole) <= columns ? whole : cut([what, age, stop].join(' · '), columns)
  }
}

/** `8 s`, `2 min 5 s`. */
function ageOf(ms: number): string {
  const seconds = Math.floor(ms / 1_000)
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`
}
