import { type ComponentType, lazy, Suspense } from 'react'
import { loadChunk } from '../browser/load-chunk.tsx'
import './markdown.css'

type Renderer = ComponentType<{ source: string }>

let ready: Renderer | null = null

/** Loads the Markdown renderer, which the inbox itself does not need. */
export async function loadMarkdown(): Promise<{ default: Renderer }> {
  const module = await loadChunk(() => import('./markdown.tsx'))
  ready = module.default
  return module
}

const LazyMarkdown = lazy(loadMarkdown)

/** Renders at once if the code is loaded, so that nothing below it jumps. */
export function Markdown({ source }: { source: string }) {
  if (ready) {
    const Ready = ready
    return <Ready source={source} />
  }
  return (
    <Suspense fallback={<div className="markdown loading" />}>
      <LazyMarkdown source={source} />
    </Suspense>
  )
}
