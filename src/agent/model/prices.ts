import type { Usage } from '../journal/entries.ts'

// US dollars per million tokens: input, output. List prices change; for a model that is not listed, no cost is shown
// rather than a wrong one. BECKON_MODEL_PRICE=input/output sets the price.
const prices: readonly [RegExp, number, number][] = [
  [/^anthropic\/claude-haiku-4-5/, 1, 5],
  [/^anthropic\/claude-sonnet-4/, 3, 15],
  [/^anthropic\/claude-opus-4-[5-8]/, 5, 25],
  [/^openai\/gpt-5(-2025|$)/, 1.25, 10],
  [/^openai\/gpt-5-mini/, 0.25, 2],
  [/^google\/gemini-2\.5-pro/, 1.25, 10],
  [/^google\/gemini-2\.5-flash$/, 0.3, 2.5],
  [/^(ollama|vllm)\//, 0, 0],
]

/** The cost in US dollars; null when the price is not known. */
export function costOf(model: string, usage: Usage, env: NodeJS.ProcessEnv): number | null {
  const price = configuredPrice(env.BECKON_MODEL_PRICE) ?? prices.find(([pattern]) => pattern.test(model))?.slice(1)
  if (!price) return null
  const [input, output] = price as [number, number]
  const { cacheRead, cacheWrite } = usage
  return (usage.input * input + cacheRead * input * 0.1 + cacheWrite * input * 1.25 + usage.output * output) / 1_000_000
}

function configuredPrice(source: string | undefined): [number, number] | null {
  const [, input, output] = /^(\d+(?:\.\d+)?)\/(\d+(?:\.\d+)?)$/.exec(source ?? '') ?? []
  return input && output ? [Number(input), Number(output)] : null
}
