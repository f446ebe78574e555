import { type ReactNode, useState } from 'react'
import { type Session, signOut } from '../api/session.ts'
import { setTheme, type Theme, theme, themes } from '../browser/theme.ts'
import { ErrorMessage } from '../components/error-message.tsx'
import { KeptValues } from '../settings/kept-values.tsx'
import { NotificationSettings } from '../settings/notification-settings.tsx'
import { Rules } from '../settings/rules.tsx'
import { Sessions } from '../settings/sessions.tsx'
import { SignInLink } from '../settings/sign-in-link.tsx'
import { Tokens } from '../settings/tokens.tsx'
import { errorText } from '../words/error-text.ts'
import { moment } from '../words/times.ts'
import { t } from '../words/translate.ts'
import './settings.css'

interface Props {
  session: Session
  onSignedOut: () => void
}

export default function Settings({ session, onSignedOut }: Props) {
  return (
    <div className="page narrow-page">
      <h1>{t('Settings')}</h1>
      <SettingsSection title={t('Appearance')}>
        <ThemeChoice />
      </SettingsSection>
      <SettingsSection title={t('Notifications')}>
        <NotificationSettings />
      </SettingsSection>
      <SettingsSection title={t('Rules')}>
        <Rules />
      </SettingsSection>
      <SettingsSection title={t('Kept values')}>
        <KeptValues />
      </SettingsSection>
      {session.scope === 'admin' && (
        <SettingsSection title={t('Tokens')}>
          <Tokens />
        </SettingsSection>
      )}
      <SettingsSection title={t('Signed-in browsers')}>
        <Sessions user={session.user} />
      </SettingsSection>
      <SettingsSection title={t('Account')}>
        <p>
          {t('Signed in as {user}', { user: session.user })}
          {session.expiresAt !== null && (
            <span className="quiet"> · {t('until {time}', { time: moment(session.expiresAt) })}</span>
          )}
        </p>
        <div className="button-row">
          <SignInLink />
          <SignOut onSignedOut={onSignedOut} />
        </div>
      </SettingsSection>
    </div>
  )
}

/** The person is signed out only once the server has confirmed it. */
function SignOut({ onSignedOut }: { onSignedOut: () => void }) {
  const [failure, setFailure] = useState<string | null>(null)
  return (
    <>
      <button type="button" onClick={() => void signOut().then(onSignedOut, error => setFailure(errorText(error)))}>
        {t('Sign out')}
      </button>
      <ErrorMessage text={failure} />
    </>
  )
}

function SettingsSection({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="settings-section">
      <h2>{title}</h2>
      {children}
    </section>
  )
}

function ThemeChoice() {
  const [chosen, setChosen] = useState<Theme>(theme())
  const names = { auto: t('System'), light: t('Light'), dark: t('Dark') }
  return (
    <fieldset className="choice">
      <legend className="visually-hidden">{t('Appearance')}</legend>
      {themes.map(name => (
        <label key={name}>
          <input
            type="radio"
            name="theme"
            checked={chosen === name}
            onChange={() => {
              setTheme(name)
              setChosen(name)
            }}
          />
          <span>{names[name]}</span>
        </label>
      ))}
    </fieldset>
  )
}
