import { lazy, Suspense } from 'react'
import { fetched } from '../fetched.ts'

const Loaded = lazy(() => fetched(() => import('./markdown.tsx')))

/** Markdown comes in a file of its own, which most first looks at the inbox do not need. */
export function Markdown({ source }: { source: string }) {
  return (
    <Suspense fallback={<div className="markdown loading" />}>
      <Loaded source={source} />
    </Suspense>
  )
}
