import { useEffect, useState } from 'react'
import { canPush, isPushed, NoPushAddress, startPush, stopPush } from '../api/push.ts'
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
        <span>{t('Notify me about new requests while this page is open')}</span>
      </label>
      <label className="check">
        <input
          type="checkbox"
          checked={pushed}
          disabled={!canPush() || denied}
          onChange={event => void setPush(event.target.checked)}
        />
        <span>{t('Send push notifications to this device even when no page is open')}</span>
      </label>
      {!canPush() && (
        <p className="quiet">{t('Push needs HTTPS. On an iPhone, also add this page to the home screen.')}</p>
      )}
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

function noPushText(): string {
  return t('This browser cannot receive push notifications. Allow notifications, or try another browser.')
}
