import { useEffect, useState } from 'react'
import { canPush, isPushed, NoPushAddress, startPush, stopPush } from '../api/push.ts'
import { allowNotices, wantsNotices } from '../notices.ts'
import { Trouble } from '../parts/trouble.tsx'
import { troubleIn } from '../words/trouble.ts'
import { t } from '../words/words.ts'

/** While a page is open, the browser tells; with push, it is told though no page is. */
export function Notices() {
  const [wanted, setWanted] = useState(wantsNotices())
  const [pushed, setPushed] = useState(false)
  const [trouble, setTrouble] = useState<string | null>(null)
  useEffect(() => void isPushed().then(setPushed, () => {}), [])
  const possible = 'Notification' in window
  const [denied, setDenied] = useState(possible && Notification.permission === 'denied')

  return (
    <>
      <label className="check">
        <input
          type="checkbox"
          checked={wanted}
          disabled={!possible || denied}
          onChange={event => void notice(event.target.checked)}
        />
        <span>{t('Tell me of new requests while this page is open')}</span>
      </label>
      <label className="check">
        <input
          type="checkbox"
          checked={pushed}
          disabled={!canPush() || denied}
          onChange={event => void push(event.target.checked)}
        />
        <span>{t('Tell this device even when no page is open')}</span>
      </label>
      {!canPush() && <p className="quiet">{t('This takes HTTPS; on an iPhone, also a page on the home screen.')}</p>}
      {denied && <p className="quiet">{t('The browser was told not to allow notifications here.')}</p>}
      <Trouble text={trouble} />
    </>
  )

  async function notice(on: boolean) {
    setWanted(await allowNotices(on))
    setDenied(Notification.permission === 'denied')
  }

  async function push(on: boolean) {
    setTrouble(null)
    try {
      if (on && (await Notification.requestPermission()) === 'denied') return setDenied(true)
      await (on ? startPush() : stopPush())
      setPushed(on)
    } catch (error) {
      setTrouble(error instanceof NoPushAddress ? `${noAddress()} (${error.message})` : troubleIn(error))
    }
  }
}

function noAddress(): string {
  return t('This browser gave no push address. Another browser may, or this one once it may show notifications.')
}
