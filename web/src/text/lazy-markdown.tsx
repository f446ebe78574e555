import { type ComponentType, lazy, Suspense } from 'react'
import { fetched } from '../fetched.ts'

type Rendered = ComponentType<{ source: string }>

let ready: Rendered | null = null

/** It comes in a file of its own, which most first looks at the inbox do not need. */
export async function loadMarkdown(): Promise<{ default: Rendered }> {
  const module = await fetched(() => import('./markdown.tsx'))
  ready = module.default
  return module
}

const Later = lazy(loadMarkdown)

/** At once where it is there: what stands below must not move when it comes. */
export function Markdown({ source }: { source: string }) {
  if (ready) {
    const Ready = ready
    return <Ready source={source} />
  }
  return (
    <Suspense fallback={<div className="markdown loading" />}>
      <Later source={source} />
    </Suspense>
  )
}
