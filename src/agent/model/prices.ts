import type { Usage } from '../journal/entries.ts'

/** What a model costs, in US dollars per million tokens. */
interface Price {
  readonly model: RegExp
  readonly input: number
  readonly output: number
  /** The day for which we know it: when it was announced, or when we read the provider's page. */
  readonly asOf: string | null
}

// List prices change. A model whose price we are not sure of is not listed: no cost is shown rather than a wrong one.
// An alias such as gemini-pro-latest has no price of its own. BECKON_MODEL_PRICE=input/output sets the price.
const prices: readonly Price[] = [
  { model: /^anthropic\/claude-sonnet-5(-5)?$/, input: 2, output: 10, asOf: '2026-11-16' },
  { model: /^anthropic\/claude-opus-5-5$/, input: 4, output: 20, asOf: '2026-11-16' },
  { model: /^anthropic\/claude-opus-5$/, input: 5, output: 25, asOf: '2026-11-16' },
  { model: /^anthropic\/claude-haiku-4-5/, input: 1, output: 5, asOf: '2026-11-16' },
  { model: /^anthropic\/claude-sonnet-4(-2025|-5|$)/, input: 3, output: 15, asOf: '2025-09-29' },
  { model: /^anthropic\/claude-opus-4-5/, input: 5, output: 25, asOf: '2025-11-24' },
  { model: /^openai\/gpt-5(-2025|$)/, input: 1.25, output: 10, asOf: '2025-08-07' },
  { model: /^openai\/gpt-5-mini(-2025|$)/, input: 0.25, output: 2, asOf: '2025-08-07' },
  { model: /^google\/gemini-2\.5-pro$/, input: 1.25, output: 10, asOf: '2025-06-17' },
  { model: /^google\/gemini-2\.5-flash$/, input: 0.3, output: 2.5, asOf: '2025-06-17' },
  { model: /^(ollama|vllm)\//, input: 0, output: 0, asOf: null },
]

export interface Cost {
  /** In US dollars. */
  readonly dollars: number
  /** The day of the price; null where it has none, such as one that the person set. */
  readonly asOf: string | null
}

/** Null when the price is not known. */
export function costOf(model: string, usage: Usage, env: NodeJS.ProcessEnv): Cost | null {
  const price = configuredPrice(env.BECKON_MODEL_PRICE) ?? prices.find(one => one.model.test(model))
  if (!price) return null
  const { input, output, asOf } = price
  const { cacheRead, cacheWrite } = usage
  // A provider charges a tenth for what it has in its cache.
  const read = usage.input * input + cacheRead * input * 0.1 + cacheWrite * input * 1.25
  return { dollars: (read + usage.output * output) / 1_000_000, asOf }
}

function configuredPrice(source: string | undefined): Omit<Price, 'model'> | null {
  const [, input, output] = /^(\d+(?:\.\d+)?)\/(\d+(?:\.\d+)?)$/.exec(source ?? '') ?? []
  return input && output ? { input: Number(input), output: Number(output), asOf: null } : null
}
