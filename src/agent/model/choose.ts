import type { LanguageModel } from 'ai'
import { invalid } from '../../protocol/errors.ts'

// Providers by name. Their packages are loaded when one is used, so that no other command waits for them.

export interface ChosenModel {
  /** As written: provider/name. */
  readonly id: string
  readonly provider: string
  readonly name: string
  load(): Promise<LanguageModel>
}

interface Provider {
  /** The variables that hold its key; the first that is set counts. None where it needs none. */
  readonly keys: readonly string[]
  /** Used when a key is there and no model is named. */
  readonly usual: string | null
  load(name: string, env: NodeJS.ProcessEnv, key: string | undefined): Promise<LanguageModel>
}

const providers: Record<string, Provider> = {
  anthropic: {
    keys: ['ANTHROPIC_API_KEY'],
    usual: 'claude-sonnet-5-5',
    async load(name, env, apiKey) {
      const { createAnthropic } = await import('@ai-sdk/anthropic')
      return createAnthropic({ ...given({ apiKey, baseURL: anthropicBase(env.ANTHROPIC_BASE_URL) }) })(name)
    },
  },
  openai: {
    keys: ['OPENAI_API_KEY'],
    usual: 'gpt-5.5',
    async load(name, env, apiKey) {
      const { createOpenAI } = await import('@ai-sdk/openai')
      return createOpenAI({ ...given({ apiKey, baseURL: env.OPENAI_BASE_URL }) }).responses(name)
    },
  },
  google: {
    keys: ['GOOGLE_GENERATIVE_AI_API_KEY', 'GEMINI_API_KEY', 'GOOGLE_API_KEY'],
    usual: 'gemini-pro-latest',
    async load(name, env, apiKey) {
      const { createGoogleGenerativeAI } = await import('@ai-sdk/google')
      return createGoogleGenerativeAI({ ...given({ apiKey, baseURL: env.GOOGLE_BASE_URL }) })(name)
    },
  },
  openrouter: compatible('openrouter', ['OPENROUTER_API_KEY'], 'OPENROUTER_BASE_URL', 'https://openrouter.ai/api/v1'),
  ollama: compatible('ollama', [], 'OLLAMA_BASE_URL', 'http://127.0.0.1:11434/v1'),
  vllm: compatible('vllm', [], 'VLLM_BASE_URL', 'http://127.0.0.1:8000/v1'),
  compatible: compatible('compatible', ['BECKON_MODEL_KEY'], 'BECKON_MODEL_URL', null),
}

/** The model that is named, or the usual one of the first provider whose key is in the environment. */
export function chooseModel(named: string | undefined, env: NodeJS.ProcessEnv): ChosenModel {
  const wish = named ?? (env.BECKON_MODEL || undefined)
  if (wish === undefined) return usualModel(env)
  const slash = wish.indexOf('/')
  const provider = providers[wish.slice(0, Math.max(0, slash))]
  if (slash < 1 || slash === wish.length - 1 || !provider) {
    throw invalid([{ path: 'model', message: `must be provider/name; the providers are ${names()}` }])
  }
  return describe(wish.slice(0, slash), provider, wish.slice(slash + 1), env)
}

/** Everything that unlocks a model: not for the commands that the agent runs. */
export const modelKeys: readonly string[] = Object.values(providers).flatMap(({ keys }) => keys)

function usualModel(env: NodeJS.ProcessEnv): ChosenModel {
  for (const [name, provider] of Object.entries(providers)) {
    if (provider.usual !== null && provider.keys.some(key => env[key])) {
      return describe(name, provider, provider.usual, env)
    }
  }
  throw invalid([{ path: 'model', message: firstRun }])
}

function describe(providerName: string, provider: Provider, name: string, env: NodeJS.ProcessEnv): ChosenModel {
  const key = provider.keys.map(variable => env[variable]).find(Boolean)
  if (provider.keys.length > 0 && !key && providerName !== 'compatible') {
    throw invalid([{ path: 'model', message: `${providerName} needs a key in ${provider.keys.join(' or ')}` }])
  }
  return { id: `${providerName}/${name}`, provider: providerName, name, load: () => provider.load(name, env, key) }
}

function compatible(name: string, keys: readonly string[], variable: string, usualUrl: string | null): Provider {
  return {
    keys,
    usual: null,
    async load(model, env, apiKey) {
      const baseURL = env[variable] || usualUrl
      if (!baseURL)
        throw invalid([{ path: 'model', message: `${name} needs the address of the server in ${variable}` }])
      const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible')
      return createOpenAICompatible({ name, baseURL, includeUsage: true, ...given({ apiKey }) })(model)
    },
  }
}

/** Other tools name the server alone; this provider wants the version, too. */
function anthropicBase(url: string | undefined): string | undefined {
  if (!url) return undefined
  const bare = url.replace(/\/+$/, '')
  return bare.endsWith('/v1') ? bare : `${bare}/v1`
}

function given<Fields extends Record<string, string | undefined>>(fields: Fields): { [Name in keyof Fields]?: string } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value)) as { [Name in keyof Fields]?: string }
}

function names(): string {
  return Object.keys(providers).join(', ')
}

const firstRun = `no model is chosen, and no key was found. Set one of these, or name a model with --model:
  ANTHROPIC_API_KEY=…     then: beckon agent                       (https://console.anthropic.com)
  OPENAI_API_KEY=…        then: beckon agent --model openai/…      (https://platform.openai.com)
  GEMINI_API_KEY=…        then: beckon agent --model google/…      (https://aistudio.google.com)
  OPENROUTER_API_KEY=…    then: beckon agent --model openrouter/…
  without a key           beckon agent --model ollama/…            (a model on this machine)`
