import { useMemo } from 'react'
import { CopyButton } from '../parts/copy-button.tsx'
import { t } from '../words/words.ts'
import { highlight } from './highlight.ts'
import { Said, SaidTitle } from './untrusted-text.tsx'

/** Code or a diff, to the letter; its language, and what else was written there, stands above it. */
export function Code({ text, about = '', label }: { text: string; about?: string; label?: string }) {
  const [language = ''] = about.trim().split(/\s/)
  const lines = useMemo(() => highlight(text, language), [text, language])
  return (
    <figure className="code">
      {about.trim() === '' ? (
        <div className="code-tools">
          <CopyButton text={text} />
        </div>
      ) : (
        <figcaption>
          <span>
            <SaidTitle text={about} longest={80} />
          </span>
          <CopyButton text={text} />
        </figcaption>
      )}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and must be reachable without a mouse */}
      <section className="wide" tabIndex={0} aria-label={label ?? t('Code')}>
        <pre>
          <code>
            {lines.map((line, i) => (
              <span key={`${i}`} className={lineClass(line[0]?.tint)}>
                {line.map((piece, at) => (
                  <span key={`${at}`} className={piece.tint ? `tint-${piece.tint}` : undefined}>
                    <Said text={piece.text.replaceAll('\t', '  ')} />
                  </span>
                ))}
                {'\n'}
              </span>
            ))}
          </code>
        </pre>
      </section>
    </figure>
  )
}

function lineClass(tint: string | null | undefined): string {
  return tint === 'added' || tint === 'removed' || tint === 'place' || tint === 'file' ? `line line-${tint}` : 'line'
}
