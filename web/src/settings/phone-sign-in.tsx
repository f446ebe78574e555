import { useEffect, useState } from 'react'
import { makePhoneLink } from '../api/session.ts'
import { ErrorMessage } from '../components/error-message.tsx'
import { serverTime } from '../server-time.ts'
import { errorText } from '../words/error-text.ts'
import { t } from '../words/translate.ts'

type Code =
  | { readonly state: 'none' | 'unreachable' | 'expired' }
  | { readonly state: 'shown'; readonly rows: readonly (readonly boolean[])[]; readonly expiresAt: string }

/** A code that signs in a phone: once, for five minutes, and only to answer. */
export function PhoneSignIn() {
  const [code, setCode] = useState<Code>({ state: 'none' })
  const [failure, setFailure] = useState<string | null>(null)
  const expiresAt = code.state === 'shown' ? code.expiresAt : null
  useEffect(() => {
    if (expiresAt === null) return
    const timer = setTimeout(() => setCode({ state: 'expired' }), Date.parse(expiresAt) - serverTime())
    return () => clearTimeout(timer)
  }, [expiresAt])
  return (
    <>
      {code.state === 'shown' ? (
        <div className="phone-code">
          <QrCode rows={code.rows} />
          <p role="status">{t('Scan it with the camera of your phone. It works once, for five minutes.')}</p>
        </div>
      ) : (
        <div className="settings-line">
          <p>{code.state === 'expired' ? t('The code has expired.') : t('Answer from your phone.')}</p>
          <button type="button" onClick={() => void show()}>
            {t('Show QR code')}
          </button>
        </div>
      )}
      {code.state === 'unreachable' && (
        <p className="notice" role="status">
          {t('A phone cannot reach this address. Start the server with --public-url; docs/phone.md shows how.')}
        </p>
      )}
      <ErrorMessage text={failure} />
    </>
  )

  async function show() {
    setFailure(null)
    try {
      const [{ encode }, { url, expiresAt }] = await Promise.all([import('uqr'), makePhoneLink()])
      if (url === null || expiresAt === null) return setCode({ state: 'unreachable' })
      setCode({ state: 'shown', rows: encode(url, { border: 3 }).data, expiresAt })
    } catch (error) {
      setFailure(errorText(error))
    }
  }
}

function QrCode({ rows }: { rows: readonly (readonly boolean[])[] }) {
  const dark = rows.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])))
  return (
    <svg viewBox={`0 0 ${rows.length} ${rows.length}`} role="img" aria-label={t('QR code that signs in a phone')}>
      <path d={dark.join('')} />
    </svg>
  )
}
