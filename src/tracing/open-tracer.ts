import { readTracingSettings } from './settings.ts'
import type { Tracer } from './tracer.ts'

interface Options {
  env: Readonly<Record<string, string | undefined>>
  version: string
  /** Hears why nothing, or not everything, is traced. */
  onProblem?: (problem: string) => void
}

/** The tracer that the environment asks for; null where it asks for none. What traces is loaded only where it does. */
export async function openTracer({ env, version, onProblem = () => {} }: Options): Promise<Tracer | null> {
  const { settings, problem } = readTracingSettings(env)
  if (problem !== null) onProblem(problem)
  if (!settings) return null
  const { createExporter } = await import('./exporter.ts')
  const { createOtlpTracer } = await import('./otlp-tracer.ts')
  const exporter = createExporter({ settings, version, onProblem })
  return createOtlpTracer({ exporter, sampler: settings.sampler, parent: env.TRACEPARENT })
}
