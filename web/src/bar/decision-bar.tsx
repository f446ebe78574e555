import { type MouseEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import type { Request } from '../../../src/protocol/request.ts'
import { ErrorMessage } from '../components/error-message.tsx'
import { titleText } from '../text/untrusted-text.tsx'
import { t } from '../words/translate.ts'
import { TextPanel } from './text-panel.tsx'
import type { AskBack } from './use-ask-back.ts'
import { Verb } from './verb.tsx'
import './decision-bar.css'

interface Props {
  request: Request
  askBack: AskBack
  /** The verbs that decide. */
  children: ReactNode
  /** A panel of the form, instead of the verbs. */
  panel?: ReactNode
  /** The key of the verb that opens the panel. */
  panelKey?: string
  problem?: string | null
  /** Whether the draft was saved. */
  status?: string
  busy?: boolean
  onDecline: (reason: string) => void
  /** Absent where the form has a verb of its own for it. */
  declineVerb?: { readonly needsReason: boolean }
  /** Only what is optional can be skipped. */
  onSkip?: (() => void) | undefined
}

/** Always visible below the request: what a person can do with it. Asking back is always one of the ways. */
export function DecisionBar(props: Props) {
  const {
    request,
    askBack,
    children,
    panel,
    problem = null,
    status = '',
    busy = false,
    onSkip,
    declineVerb,
    panelKey,
  } = props
  const [open, setOpen] = useState<'ask-back' | 'decline' | null>(null)
  const bar = useRef<HTMLElement>(null)
  const [message, setMessage] = useState('')
  const [reason, setReason] = useState('')
  const hasPanel = Boolean(panel)
  const hadPanel = useRef(hasPanel)
  useEffect(() => {
    const isLeft = hadPanel.current && !hasPanel && document.activeElement === document.body
    hadPanel.current = hasPanel
    if (isLeft && panelKey !== undefined) focusVerb(bar.current, panelKey)
  }, [hasPanel, panelKey])
  return (
    <footer className="decision-bar" ref={bar} onClickCapture={ignoreSecondClick}>
      {open === 'ask-back' ? (
        askBackPanel()
      ) : open === 'decline' ? (
        <TextPanel
          label={t('Reason (sent to the agent)')}
          value={reason}
          onChange={setReason}
          verb={t('Decline')}
          look="bad"
          needed={declineVerb?.needsReason ? t('Enter a reason.') : null}
          problem={problem}
          busy={busy}
          onSubmit={() => props.onDecline(reason.trim())}
          onCancel={cancel}
        />
      ) : (
        <>
          {panel ? (
            <div className="decision-panel">{panel}</div>
          ) : (
            <>
              <ErrorMessage text={problem} />
              <div className="decision-verbs">{children}</div>
            </>
          )}
          <div className="decision-end">
            <span className="decision-status" role="status">
              {status}
            </span>
            {onSkip && (
              <Verb look="quiet" shortcut="s" busy={busy} onPress={onSkip}>
                {t('Skip')}
              </Verb>
            )}
            <Verb look="quiet" shortcut="c" onPress={() => setOpen('ask-back')}>
              {t('Ask back')}
            </Verb>
            {declineVerb && (
              <Verb look="quiet" shortcut="d" onPress={() => setOpen('decline')}>
                {t('Decline…')}
              </Verb>
            )}
          </div>
        </>
      )}
    </footer>
  )

  /** The focus returns to the verb that opened the panel. */
  function cancel() {
    const key = open === 'ask-back' ? 'c' : 'd'
    flushSync(() => setOpen(null))
    focusVerb(bar.current, key)
  }

  /** An asker that hears no messages gets them as the reason of a refusal, if the person wants that. */
  function askBackPanel() {
    const name = titleText(request.agent.name, 40)
    return (
      <TextPanel
        label={t('Message to {name}', { name })}
        hint={
          request.canReply
            ? t('The request stays open, and nothing is decided.')
            : t('{name} cannot reply here. Your message can be the reason for declining.', { name })
        }
        value={message}
        onChange={setMessage}
        verb={request.canReply ? t('Send message') : t('Decline with this message')}
        look={request.canReply ? 'primary' : 'bad'}
        needed={t('Write a message.')}
        problem={askBack.problem ?? problem}
        busy={busy || askBack.isSending}
        onSubmit={() => {
          if (!request.canReply) return props.onDecline(message.trim())
          askBack.send(message.trim(), () => {
            setMessage('')
            setOpen(null)
          })
        }}
        onCancel={cancel}
      />
    )
  }
}

function focusVerb(bar: HTMLElement | null, key: string): void {
  bar?.querySelector<HTMLElement>(`[aria-keyshortcuts="${key}"]`)?.focus()
}

/** A decision opens the next request under the pointer: the second click of a double click must not decide that one, too. */
function ignoreSecondClick(event: MouseEvent): void {
  if (event.detail < 2 || !(event.target instanceof Element && event.target.closest('button'))) return
  event.preventDefault()
  event.stopPropagation()
}
