import { useMemo } from 'react'
import { CopyButton } from '../components/copy-button.tsx'
import { UntrustedText } from '../text/untrusted-text.tsx'
import { t } from '../words/translate.ts'
import { commandLines, type Segment, splitWords } from './command-lines.ts'
import './command.css'

type Span = readonly [number, number]

/** The exact command, with its dangerous parts marked. */
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
                  ? emptyLinesText(line.empty)
                  : marksIn(splitWords(line.segments)).map((mark, at) => <Marked key={`${at}`} {...mark} />)}
                {'\n'}
              </span>
            ))}
          </code>
        </pre>
        <CopyButton text={command} />
      </figure>
      {lines.length > 1 && <p className="quiet">{t('{count} lines', { count: command.split('\n').length })}</p>}
    </>
  )
}

type Word = readonly Segment[]

interface MarkedWords {
  readonly words: readonly Word[]
  readonly risky: boolean
}

/** Adjacent dangerous words share one mark; a word that is dangerous in part has its mark inside. */
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
  const shown = words.map((word, i) => <CommandWord key={`${i}`} word={word} marks={!risky} />)
  return risky ? <mark>{shown}</mark> : shown
}

/**
 * A line breaks inside a word only if the word is longer than a line, even if part of it is marked: a break after a dash
 * or in the middle would look like a space.
 */
function CommandWord({ word, marks }: { word: Word; marks: boolean }) {
  const parts = word.map(({ text, risky }, i) => {
    const shown = <UntrustedText key={`${i}`} text={text} />
    return risky && marks ? <mark key={`${i}`}>{shown}</mark> : shown
  })
  const isBlank = word.every(({ text }) => text.trim() === '')
  return isBlank ? parts : <span className="word">{parts}</span>
}

function emptyLinesText(count: number): string {
  return count === 1 ? t('(1 empty line)') : t('({count} empty lines)', { count })
}
