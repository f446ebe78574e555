import { useState } from 'react'
import { makeLink } from '../api/session.ts'
import { CopyButton } from '../parts/copy-button.tsx'
import { Trouble } from '../parts/trouble.tsx'
import { troubleIn } from '../words/trouble.ts'
import { t } from '../words/words.ts'

/** Signs another browser in, such as that of one's phone. */
export function OtherDevice() {
  const [link, setLink] = useState<string | null>(null)
  const [trouble, setTrouble] = useState<string | null>(null)
  return (
    <>
      <button type="button" onClick={() => void ask()}>
        {t('Make a link for another device')}
      </button>
      {link !== null && (
        <div className="notice" role="status">
          <p>{t('Open it there within 15 minutes; it works once:')}</p>
          {isLoopback(link) && (
            <p>{t('This server is reached from this machine only. To answer on a phone, see docs/phone.md.')}</p>
          )}
          <p className="secret-once">
            <code>{link}</code>
            <CopyButton text={link} />
          </p>
        </div>
      )}
      <Trouble text={trouble} />
    </>
  )

  async function ask() {
    setTrouble(null)
    await makeLink().then(
      ({ url }) => setLink(url),
      error => setTrouble(troubleIn(error)),
    )
  }
}

function isLoopback(link: string): boolean {
  const { hostname } = new URL(link)
  return hostname === 'localhost' || hostname === '[::1]' || /^127\./.test(hostname)
}
