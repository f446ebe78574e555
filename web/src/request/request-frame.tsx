import { type FormHTMLAttributes, lazy, type ReactNode, type Ref, Suspense } from 'react'
import type { Request } from '../../../src/protocol/request.ts'
import type { AskBack } from '../bar/use-ask-back.ts'
import { loadOptionalChunk } from '../browser/load-chunk.tsx'
import { Strip } from './strip.tsx'
import { Thread } from './thread.tsx'
import './request-frame.css'

// Nobody waits for it, so it comes after the request.
const RunAside = lazy(async () => {
  const part = await loadOptionalChunk(() => import('../run/run-aside.tsx'))
  return { default: part?.RunAside ?? Nothing }
})

interface Props extends Pick<FormHTMLAttributes<HTMLFormElement>, 'onSubmit' | 'onKeyDown'> {
  request: Request
  messages: AskBack['messages']
  /** What there is to do; null if it is settled. */
  bar: ReactNode
  children: ReactNode
  /** Below the thread: what goes along with the decision. */
  note?: ReactNode
  ref?: Ref<HTMLFormElement>
}

/** A request as every kind of it is laid out: where it comes from, what it says, the thread, and the bar. */
export function RequestFrame({ request, messages, bar, children, note, ...form }: Props) {
  return (
    <form className="request-frame" noValidate autoComplete="off" onSubmit={event => event.preventDefault()} {...form}>
      <Strip request={request} />
      <div className="request-scroll">
        <div className="request-main">
          {children}
          <Thread request={request} messages={messages} />
          {note}
        </div>
      </div>
      {bar}
      <Suspense fallback={null}>
        <RunAside request={request} />
      </Suspense>
    </form>
  )
}

function Nothing(_: { request: Request }) {
  return null
}
