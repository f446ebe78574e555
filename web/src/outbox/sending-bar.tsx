import { Verb } from '../bar/verb.tsx'
import { ErrorMessage } from '../components/error-message.tsx'
import { UntrustedTitle } from '../text/untrusted-text.tsx'
import { t } from '../words/translate.ts'
import { type Outgoing, retry, undo } from './outbox.ts'
import { Countdown } from './outbox-toast.tsx'

/** The bar of a request whose decision is on its way. */
export function SendingBar({ item }: { item: Outgoing }) {
  const { id } = item.request
  return (
    <footer className="decision-bar sending-bar">
      {item.state === 'failed' ? (
        <ErrorMessage text={`${t('Not sent.')} ${item.why ?? ''}`} />
      ) : (
        <p role="status">
          {t('Sending…')}{' '}
          <b dir="auto">
            <UntrustedTitle text={item.says} longest={120} />
          </b>
        </p>
      )}
      {item.state === 'waiting' && <Countdown sendAt={item.sendAt} />}
      <span className="decision-end">
        {item.state === 'failed' && <Verb onPress={() => retry(id)}>{t('Try again')}</Verb>}
        {item.state !== 'sending' && (
          // The page's own key for it, U, is the toast's.
          <Verb onPress={() => undo(id)}>{t('Undo')}</Verb>
        )}
      </span>
    </footer>
  )
}
