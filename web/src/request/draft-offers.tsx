import { type Offer, offerText } from '../../../src/form/draft-offers.ts'
import { Ago } from '../components/time.tsx'
import { FormattedPhrase } from '../text/formatted-phrase.tsx'
import { UntrustedTitle } from '../text/untrusted-text.tsx'
import { t } from '../words/translate.ts'
import type { OfferState } from './use-draft-offers.ts'
import './draft-offers.css'

/** What other people began: the person decides whether to use it. */
export function DraftOffers({ offered, used, use, undo, discard }: OfferState) {
  const shown = used ? [used] : offered
  return shown.map(offer => (
    <aside key={offer.draft.by} className="draft-offer" aria-label={t('Draft')}>
      <p>
        <FormattedPhrase
          phrase={used ? "Filled in from {name}'s draft" : '{name} began this'}
          values={{ name: <Author offer={offer} /> }}
        />
        {' · '}
        <Ago at={offer.draft.at} />
      </p>
      <p className="draft-text" dir="auto">
        <UntrustedTitle text={offerText(offer)} longest={240} />
      </p>
      <div className="draft-actions">
        {/* It stays in its place: another button there would get the second tap of a double tap. */}
        <button type="button" disabled={used !== null} onClick={() => use(offer)}>
          {t('Use')}
        </button>
        <button type="button" className="quiet-button" onClick={() => (used ? undo() : discard(offer))}>
          {used ? t('Undo') : t('Discard')}
        </button>
      </div>
    </aside>
  ))
}

function Author({ offer: { draft } }: { offer: Offer }) {
  return (
    <bdi>
      <b>
        <UntrustedTitle text={draft.by} longest={60} />
      </b>
    </bdi>
  )
}
