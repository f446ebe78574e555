import { useMemo } from 'react'
import { CopyButton } from '../parts/copy-button.tsx'
import { Said } from '../text/untrusted-text.tsx'
import { t } from '../words/words.ts'
import { commandLines, type Stretch, wordsIn } from './command-lines.ts'

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
                  : marksIn(wordsIn(line.stretches)).map((mark, at) => <Marked key={`${at}`} {...mark} />)}
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

type Word = readonly Stretch[]

interface MarkedWords {
  readonly words: readonly Word[]
  readonly risky: boolean
}

/** Words side by side that are all dangerous have one mark; a word of which a part is has its own inside. */
function marksIn(words: readonly Word[]): MarkedWords[] {
  const marks: { words: Word[]; risky: boolean }[] = []
  for (const word of words) {
    const risky = word.every(part => part.risky)
    const last = marks.at(-1)
    if (last && last.risky === risky) last.words.push(word)
    else marks.push({ words: [word], risky })
  }
  return marks
}

function Marked({ words, risky }: MarkedWords) {
  const shown = words.map((word, i) => <WordOf key={`${i}`} word={word} marks={!risky} />)
  return risky ? <mark>{shown}</mark> : shown
}

/**
 * A word is folded only where it is longer than a line, also where a part of it is marked: a fold after a dash, or in the
 * middle, would look like a blank.
 */
function WordOf({ word, marks }: { word: Word; marks: boolean }) {
  const parts = word.map(({ text, risky }, i) => {
    const said = <Said key={`${i}`} text={text} />
    return risky && marks ? <mark key={`${i}`}>{said}</mark> : said
  })
  const isBlank = word.every(({ text }) => text.trim() === '')
  return isBlank ? parts : <span className="word">{parts}</span>
}

function emptyWords(count: number): string {
  return count === 1 ? t('(1 empty line)') : t('({count} empty lines)', { count })
}
