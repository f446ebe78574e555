import { useMemo } from 'react'
import { CopyButton } from '../parts/copy-button.tsx'
import { Unbroken } from '../text/unbroken.tsx'
import { t } from '../words/words.ts'
import { commandLines, type Stretch } from './command-lines.ts'

type Span = readonly [number, number]

/** A command to the letter, with what is dangerous about it marked. */
export function Command({ command, spans }: { command: string; spans: readonly Span[] }) {
  const lines = useMemo(() => commandLines(command, spans), [command, spans])
  return (
    <>
      <figure className="command">
        <pre>
          <code>
            {lines.map((line, i) => (
              <span key={`${i}`} className={line.empty > 0 ? 'empty-lines' : 'command-line'}>
                {line.empty > 0
                  ? emptyWords(line.empty)
                  : line.stretches.map((one, at) => <Part key={`${at}`} {...one} />)}
                {'\n'}
              </span>
            ))}
          </code>
        </pre>
        <CopyButton text={command} />
      </figure>
      {lines.length > 1 && <p className="quiet">{t('{count} lines in all', { count: command.split('\n').length })}</p>}
    </>
  )
}

function Part({ text, risky }: Stretch) {
  const words = <Unbroken text={text} />
  return risky ? <mark>{words}</mark> : words
}

function emptyWords(count: number): string {
  return count === 1 ? t('(1 empty line)') : t('({count} empty lines)', { count })
}
