import type { Request } from '../../../src/protocol/request.ts'
import type { AskBack } from '../bar/use-ask-back.ts'
import { Ago } from '../components/time.tsx'
import { UntrustedLines, UntrustedTitle } from '../text/untrusted-text.tsx'
import { t } from '../words/translate.ts'
import './thread.css'

interface Props {
  request: Request
  messages: AskBack['messages']
}

/** What people asked back and what the agent replied. Its words are a claim: they change nothing about the request. */
export function Thread({ request, messages }: Props) {
  if (messages.length === 0) return null
  return (
    <section className="thread" aria-label={t('Messages')}>
      <ol aria-live="polite">
        {messages.map(message => (
          <li key={message.id} className={`message message-${message.from}`}>
            <p className="message-about">
              <b>
                <bdi>
                  <UntrustedTitle text={message.from === 'agent' ? request.agent.name : message.by} longest={60} />
                </bdi>
              </b>
              {message.from === 'agent' && <span className="message-claim">{t('says, unchecked')}</span>}
              {message.isSending ? t('Sending…') : <Ago at={message.at} />}
            </p>
            <p className="message-text" dir="auto">
              <UntrustedLines text={message.text} />
            </p>
          </li>
        ))}
      </ol>
    </section>
  )
}
