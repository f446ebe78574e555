import type { LanguageModel } from 'ai'
import { BeckonError, invalid } from '../../protocol/errors.ts'

// Providers by name. The SDK is loaded on use, so that no other command waits for it.

export interface ChosenModel {
  /** As written: provider/name. */
  readonly id: string
  readonly provider: string
  readonly name: string
  load(): Promise<LanguageModel>
}

interface Provider {
  /** The variables that may hold its key; the first that is set wins. Empty if it needs no key. */
  readonly keys: readonly string[]
  /** Used when its key is set and no model is named. */
  readonly defaultModel: string | null
  load(name: string, env: NodeJS.ProcessEnv, key: string | undefined): Promise<LanguageModel>
}

const providers: Record<string, Provider> = {
  anthropic: {
    keys: ['ANTHROPIC_API_KEY'],
    defaultModel: 'claude-sonnet-5-5',
    async load(name, env, apiKey) {
      const { createAnthropic } = await import('./sdk.ts')
      return createAnthropic({ ...given({ apiKey, baseURL: anthropicBase(env.ANTHROPIC_BASE_URL) }) })(name)
    },
  },
  openai: {
    keys: ['OPENAI_API_KEY'],
    defaultModel: 'gpt-5.5',
    async load(name, env, apiKey) {
      const { createOpenAI } = await import('./sdk.ts')
      return createOpenAI({ ...given({ apiKey, baseURL: env.OPENAI_BASE_URL }) }).responses(name)
    },
  },
  google: {
    keys: ['GOOGLE_GENERATIVE_AI_API_KEY', 'GEMINI_API_KEY', 'GOOGLE_API_KEY'],
    defaultModel: 'gemini-pro-latest',
    async load(name, env, apiKey) {
      const { createGoogleGenerativeAI } = await import('./sdk.ts')
      return createGoogleGenerativeAI({ ...given({ apiKey, baseURL: env.GOOGLE_BASE_URL }) })(name)
    },
  },
  openrouter: compatible('openrouter', ['OPENROUTER_API_KEY'], 'OPENROUTER_BASE_URL', 'https://openrouter.ai/api/v1'),
  ollama: compatible('ollama', [], 'OLLAMA_BASE_URL', 'http://127.0.0.1:11434/v1'),
  vllm: compatible('vllm', [], 'VLLM_BASE_URL', 'http://127.0.0.1:8000/v1'),
  compatible: compatible('compatible', ['BECKON_MODEL_KEY'], 'BECKON_MODEL_URL', null),
}

/** The named model, or the default of the first provider whose key is in the environment. */
export function chooseModel(named: string | undefined, env: NodeJS.ProcessEnv): ChosenModel {
  const requested = named ?? (env.BECKON_MODEL || undefined)
  if (requested === undefined) return defaultModel(env)
  const slash = requested.indexOf('/')
  const provider = providers[requested.slice(0, Math.max(0, slash))]
  if (slash < 1 || slash === requested.length - 1 || !provider) {
    throw invalid([{ path: '--model', message: `must be PROVIDER/NAME; the providers are ${names()}` }])
  }
  return describe(requested.slice(0, slash), provider, requested.slice(slash + 1), env)
}

/** The keys of all providers: the commands that the agent runs do not get them. */
export const modelKeys: readonly string[] = Object.values(providers).flatMap(({ keys }) => keys)

function defaultModel(env: NodeJS.ProcessEnv): ChosenModel {
  for (const [name, provider] of Object.entries(providers)) {
    if (provider.defaultModel !== null && provider.keys.some(key => env[key])) {
      return describe(name, provider, provider.defaultModel, env)
    }
  }
  throw new MissingModel()
}

function describe(providerName: string, provider: Provider, name: string, env: NodeJS.ProcessEnv): ChosenModel {
  const key = provider.keys.map(variable => env[variable]).find(Boolean)
  if (provider.keys.length > 0 && !key && providerName !== 'compatible') {
    throw invalid([{ path: '--model', message: `${providerName} needs a key in ${provider.keys.join(' or ')}` }])
  }
  return { id: `${providerName}/${name}`, provider: providerName, name, load: () => provider.load(name, env, key) }
}

function compatible(name: string, keys: readonly string[], variable: string, defaultUrl: string | null): Provider {
  return {
    keys,
    defaultModel: null,
    async load(model, env, apiKey) {
      const baseURL = env[variable] || defaultUrl
      if (!baseURL) throw invalid([{ path: '--model', message: `${name} needs the server's address in ${variable}` }])
      const { createOpenAICompatible } = await import('./sdk.ts')
      return createOpenAICompatible({ name, baseURL, includeUsage: true, ...given({ apiKey }) })(model)
    },
  }
}

/** Other tools omit the version from the URL; this provider wants it. */
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

/** No model is named, and no key was found. Its lines say how to choose one, and fit a screen of 40 columns. */
export class MissingModel extends BeckonError {
  readonly lines = firstRun.split('\n')

  constructor() {
    super('invalid', 'No key for a model was found.', [{ path: '--model', message: 'is missing' }])
  }
}

const firstRun = `Run one of these, and try again:
  anthropic export ANTHROPIC_API_KEY=…
  openai    export OPENAI_API_KEY=…
  google    export GEMINI_API_KEY=…
  ollama    export BECKON_MODEL=ollama/…
  vllm      export BECKON_MODEL=vllm/…
  openrouter export OPENROUTER_API_KEY=…
    and export BECKON_MODEL=openrouter/…
  compatible export BECKON_MODEL_URL=…
    and export BECKON_MODEL=compatible/…`
