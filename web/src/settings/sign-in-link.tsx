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
      <div className="settings-line">
        <p>{t('Or open a link on another device, with all your rights.')}</p>
        <button type="button" onClick={() => void create()}>
          {t('Create link')}
        </button>
      </div>
      {link !== null && (
        <div className="notice" role="status">
          <p>{t('Open this link on the other device within 15 minutes. It works once.')}</p>
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
