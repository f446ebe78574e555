import { startTransition, useEffect, useOptimistic, useState } from 'react'
import {
  canPush,
  choosePush,
  isPushed,
  NoPushAddress,
  type PushChoice,
  pushChoice,
  startPush,
  stopPush,
  testPush,
} from '../api/push.ts'
import { enableNotifications, notificationsEnabled } from '../browser/notifications.ts'
import { ErrorMessage } from '../components/error-message.tsx'
import { errorText } from '../words/error-text.ts'
import { t } from '../words/translate.ts'

/** Notifications while a page is open, and by push when none is. */
export function NotificationSettings() {
  const [enabled, setEnabled] = useState(notificationsEnabled())
  const [pushed, setPushed] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)
  useEffect(() => void isPushed().then(setPushed, () => {}), [])
  const possible = 'Notification' in window
  const [denied, setDenied] = useState(possible && Notification.permission === 'denied')

  return (
    <>
      <label className="check">
        <input
          type="checkbox"
          checked={enabled}
          disabled={!possible || denied}
          onChange={event => void setNotifications(event.target.checked)}
        />
        <span>{t('While this page is open')}</span>
      </label>
      <label className="check">
        <input
          type="checkbox"
          checked={pushed}
          disabled={!canPush() || denied}
          onChange={event => void setPush(event.target.checked)}
        />
        <span>{t('Push to this device, even when it is closed')}</span>
      </label>
      {pushed && <PushSettings onFailure={setFailure} />}
      {!canPush() && <p className="quiet">{t('Push needs HTTPS, and on an iPhone the installed app.')}</p>}
      {denied && <p className="quiet">{t('Your browser blocks notifications from this site.')}</p>}
      <ErrorMessage text={failure} />
    </>
  )

  async function setNotifications(on: boolean) {
    setEnabled(await enableNotifications(on))
    setDenied(Notification.permission === 'denied')
  }

  async function setPush(on: boolean) {
    setFailure(null)
    try {
      if (on && (await Notification.requestPermission()) === 'denied') return setDenied(true)
      await (on ? startPush() : stopPush())
      setPushed(on)
    } catch (error) {
      setFailure(error instanceof NoPushAddress ? `${noPushText()} (${error.message})` : errorText(error))
    }
  }
}

/** What this device is pushed, and whether that works. */
function PushSettings({ onFailure }: { onFailure: (text: string | null) => void }) {
  const [stored, setStored] = useState<PushChoice>(pushChoice())
  const [choice, showChoice] = useOptimistic(stored)
  const [result, setResult] = useState<string | null>(null)
  return (
    <div className="settings-nested">
      <fieldset className="choice">
        <legend className="visually-hidden">{t('What to push')}</legend>
        {[false, true].map(urgentOnly => (
          <label key={String(urgentOnly)}>
            <input
              type="radio"
              name="level"
              checked={choice.urgentOnly === urgentOnly}
              onChange={() => choose({ ...choice, urgentOnly })}
            />
            <span>{urgentOnly ? t('Only urgent') : t('Everything')}</span>
          </label>
        ))}
      </fieldset>
      <label className="check">
        <input
          type="checkbox"
          checked={choice.quickAnswers}
          onChange={event => choose({ ...choice, quickAnswers: event.target.checked })}
        />
        <span>{t('Answer simple questions in the notification')}</span>
      </label>
      <div className="button-row">
        <button type="button" onClick={() => void test()}>
          {t('Send a test')}
        </button>
        <output>{result}</output>
      </div>
    </div>
  )

  function choose(next: PushChoice) {
    startTransition(async () => {
      showChoice(next)
      onFailure(null)
      await choosePush(next).then(
        () => setStored(next),
        error => onFailure(errorText(error)),
      )
    })
  }

  async function test() {
    setResult(t('Sending…'))
    try {
      const tested = await testPush()
      if (tested?.delivered) return setResult(t('Sent. It appears in a moment.'))
      setResult(tested ? t('It was not accepted: {reason}', { reason: tested.finding }) : noPushText())
    } catch (error) {
      setResult(errorText(error))
    }
  }
}

function noPushText(): string {
  return t('This browser cannot receive push notifications. Allow notifications, or try another browser.')
}
