import { isSecretVariable } from '../secret-variables.ts'

// The lower bits are the `origins` of arguments.ts.
const firstBit = 5
const mostNames = 26

/** Gives each secret variable of a command a bit among the origins, so that a value tells which of them it holds. */
export class VariableOrigins {
  readonly #bits = new Map<string, number>()

  /** 0 for a variable that is not named like a secret. */
  bitOf(name: string): number {
    const known = this.#bits.get(name)
    if (known !== undefined) return known
    // Further names count as the last one that has a bit.
    const bit = isSecretVariable(name) ? 1 << (firstBit + Math.min(this.#bits.size, mostNames - 1)) : 0
    if (bit !== 0) this.#bits.set(name, bit)
    return bit
  }

  namesIn(from: number): string[] {
    if (from >>> firstBit === 0) return []
    return [...this.#bits].flatMap(([name, bit]) => (from & bit ? [name] : [])).slice(0, mostNames)
  }
}
