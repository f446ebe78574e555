import { type ComponentProps, lazy, Suspense } from 'react'
import { loadChunk } from '../browser/load-chunk.tsx'
import { t } from '../words/translate.ts'

// Most requests are not reviews, so the first load is without them.

const Form = lazy(async () => ({ default: (await loadChunk(() => import('./review-form.tsx'))).ReviewForm }))
const Changes = lazy(async () => ({ default: (await loadChunk(() => import('./review-changes.tsx'))).ReviewChanges }))

export function ReviewForm(props: ComponentProps<typeof Form>) {
  return (
    <Suspense fallback={<output className="request-skeleton loading-screen" aria-label={t('Loading…')} />}>
      <Form {...props} />
    </Suspense>
  )
}

export function ReviewChanges(props: ComponentProps<typeof Changes>) {
  return (
    <Suspense fallback={null}>
      <Changes {...props} />
    </Suspense>
  )
}
