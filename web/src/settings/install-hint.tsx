import { useSyncExternalStore } from 'react'
import { installPrompt, isInstalled, onInstallChange } from '../browser/install.ts'
import { t } from '../words/translate.ts'

/** How to keep the page as an app. Browsers that offer it themselves give a button; on an iPhone it takes words. */
export function InstallHint() {
  const prompt = useSyncExternalStore(onInstallChange, installPrompt)
  if (isInstalled()) return null
  if (prompt)
    return (
      <div className="settings-line">
        <p>{t('Keep Beckon as an app.')}</p>
        <button type="button" onClick={() => void prompt()}>
          {t('Install')}
        </button>
      </div>
    )
  if (!isApplePhone()) return null
  return <p className="quiet">{t('To install: Share, then Add to Home Screen. Push needs it on an iPhone.')}</p>
}

function isApplePhone(): boolean {
  return /iPhone|iPad/.test(navigator.userAgent) || (/Mac/.test(navigator.userAgent) && navigator.maxTouchPoints > 1)
}
