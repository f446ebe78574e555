import { useState } from 'react'
import { makeLink } from '../api/session.ts'
import { CopyButton } from '../components/copy-button.tsx'
import { ErrorMessage } from '../components/error-message.tsx'
import { errorText } from '../words/error-text.ts'
import { t } from '../words/translate.ts'

/** Creates a link that signs in another browser, such as the one on a phone. */
export function SignInLink() {
  const [link, setLink] = useState<string | null>(null)
  const [failure, setFailure] = useState<string | null>(null)
  return (
    <>
      <button type="button" onClick={() => void create()}>
        {t('Create a link for another device')}
      </button>
      {link !== null && (
        <div className="notice" role="status">
          <p>{t('Open this link on the other device within 15 minutes. It works once.')}</p>
          {isLoopback(link) && (
            <p>
              {t('This server only accepts connections from this machine. To answer from a phone, see docs/phone.md.')}
            </p>
          )}
          <p className="one-time-secret">
            <code>{link}</code>
            <CopyButton text={link} />
          </p>
        </div>
      )}
      <ErrorMessage text={failure} />
    </>
  )

  async function create() {
    setFailure(null)
    await makeLink().then(
      ({ url }) => setLink(url),
      error => setFailure(errorText(error)),
    )
  }
}

function isLoopback(link: string): boolean {
  const { hostname } = new URL(link)
  return hostname === 'localhost' || hostname === '[::1]' || /^127\./.test(hostname)
}
