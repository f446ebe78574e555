import { type ReactNode, useState } from 'react'
import { type Session, signOut } from '../api/session.ts'
import { Trouble } from '../parts/trouble.tsx'
import { Browsers } from '../settings/browsers.tsx'
import { KeptValues } from '../settings/kept.tsx'
import { Notices } from '../settings/notices.tsx'
import { OtherDevice } from '../settings/other-device.tsx'
import { Rules } from '../settings/rules.tsx'
import { Tokens } from '../settings/tokens.tsx'
import { setTheme, type Theme, theme, themes } from '../theme.ts'
import { moment } from '../words/times.ts'
import { troubleIn } from '../words/trouble.ts'
import { t } from '../words/words.ts'

interface Props {
  session: Session
  onSignedOut: () => void
}

export default function Settings({ session, onSignedOut }: Props) {
  return (
    <div className="page narrow-page">
      <h1>{t('Settings')}</h1>
      <Part title={t('Appearance')}>
        <ThemeChoice />
      </Part>
      <Part title={t('Notifications')}>
        <Notices />
      </Part>
      <Part title={t('Rules')}>
        <Rules />
      </Part>
      <Part title={t('Kept values')}>
        <KeptValues />
      </Part>
      {session.scope === 'admin' && (
        <Part title={t('Tokens')}>
          <Tokens />
        </Part>
      )}
      <Part title={t('Browsers that are signed in')}>
        <Browsers user={session.user} />
      </Part>
      <Part title={t('You')}>
        <p>
          {t('Signed in as {user}', { user: session.user })}
          {session.expiresAt !== null && (
            <span className="quiet"> · {t('until {time}', { time: moment(session.expiresAt) })}</span>
          )}
        </p>
        <div className="row-of-buttons">
          <OtherDevice />
          <SignOut onSignedOut={onSignedOut} />
        </div>
      </Part>
    </div>
  )
}

/** Only where the server knows of it, it is true. */
function SignOut({ onSignedOut }: { onSignedOut: () => void }) {
  const [trouble, setTrouble] = useState<string | null>(null)
  return (
    <>
      <button type="button" onClick={() => void signOut().then(onSignedOut, error => setTrouble(troubleIn(error)))}>
        {t('Sign out')}
      </button>
      <Trouble text={trouble} />
    </>
  )
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="part">
      <h2>{title}</h2>
      {children}
    </section>
  )
}

function ThemeChoice() {
  const [chosen, setChosen] = useState<Theme>(theme())
  const names = { auto: t('As the system has it'), light: t('Light'), dark: t('Dark') }
  return (
    <fieldset className="choice">
      <legend className="for-ears">{t('Appearance')}</legend>
      {themes.map(one => (
        <label key={one}>
          <input
            type="radio"
            name="theme"
            checked={chosen === one}
            onChange={() => {
              setTheme(one)
              setChosen(one)
            }}
          />
          <span>{names[one]}</span>
        </label>
      ))}
    </fieldset>
  )
}
