import { type ReactNode, useId, useState } from 'react'
import { type Session, signOut } from '../api/session.ts'
import { setTheme, type Theme, theme, themes } from '../browser/theme.ts'
import { ErrorMessage } from '../components/error-message.tsx'
import { sendAll } from '../outbox/outbox.ts'
import { InstallHint } from '../settings/install-hint.tsx'
import { KeptValues } from '../settings/kept-values.tsx'
import { NotificationSettings } from '../settings/notification-settings.tsx'
import { PhoneSignIn } from '../settings/phone-sign-in.tsx'
import { Rules } from '../settings/rules.tsx'
import { Sessions } from '../settings/sessions.tsx'
import { SignInLink } from '../settings/sign-in-link.tsx'
import { Tokens } from '../settings/tokens.tsx'
import { errorText } from '../words/error-text.ts'
import { moment } from '../words/times.ts'
import { t } from '../words/translate.ts'
import '../settings/settings.css'

interface Props {
  session: Session
  onSignedOut: () => void
}

export default function Settings({ session, onSignedOut }: Props) {
  return (
    <div className="page narrow-page">
      <h1>{t('Settings')}</h1>
      <SettingsSection title={t('Account')}>
        <Account session={session} onSignedOut={onSignedOut} />
        <Sessions user={session.user} />
      </SettingsSection>
      <SettingsSection title={t('This device')}>
        <ThemeChoice />
        <InstallHint />
      </SettingsSection>
      <SettingsSection title={t('Notifications')}>
        <NotificationSettings />
      </SettingsSection>
      <SettingsSection title={t('Phone')}>
        <PhoneSignIn />
        <SignInLink />
      </SettingsSection>
      {session.scope === 'admin' && (
        <SettingsSection title={t('Tokens')}>
          <Tokens />
        </SettingsSection>
      )}
      <SettingsSection title={t('Rules')}>
        <Rules />
      </SettingsSection>
      <SettingsSection title={t('Kept values')}>
        <KeptValues />
      </SettingsSection>
    </div>
  )
}

function SettingsSection({ title, children }: { title: string; children: ReactNode }) {
  const id = useId()
  return (
    <section className="settings-section" aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      <div>{children}</div>
    </section>
  )
}

/** The person is signed out only once the server has confirmed it. */
function Account({ session, onSignedOut }: Props) {
  const [failure, setFailure] = useState<string | null>(null)
  return (
    <>
      <div className="settings-line">
        <p>
          {t('Signed in as {user}', { user: session.user })}
          {session.expiresAt !== null && (
            <span className="quiet"> · {t('until {time}', { time: moment(session.expiresAt) })}</span>
          )}
        </p>
        <button
          type="button"
          onClick={() =>
            void sendAll()
              .then(signOut)
              .then(onSignedOut, error => setFailure(errorText(error)))
          }
        >
          {t('Sign out')}
        </button>
      </div>
      <ErrorMessage text={failure} />
    </>
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
