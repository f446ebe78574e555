import type { Tracer } from './tracer.ts'

/** A span for each call to the database that is part of something; what runs in the background by itself has none. */
export function traceStoreCalls(tracer: Tracer, kind: 'sqlite' | 'postgres') {
  const system = kind === 'sqlite' ? 'sqlite' : 'postgresql'
  return (call: 'read' | 'change') => {
    if (tracer.current() === null) return () => {}
    const span = tracer.start(`beckon.store.${call}`, { kind: 'client', attributes: { 'db.system.name': system } })
    return (error?: unknown) => span.end(error)
  }
}
