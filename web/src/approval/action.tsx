import { type RefObject, useMemo } from 'react'
import type { Json } from '../../../src/protocol/canonical-json.ts'
import type { ApprovalRequest } from '../../../src/protocol/request.ts'
import { editableText } from '../../../src/rules/action-text.ts'
import { CopyButton } from '../components/copy-button.tsx'
import { UntrustedText } from '../text/untrusted-text.tsx'
import { useHubTexts } from '../words/hub-texts/hub-texts.ts'
import { t } from '../words/translate.ts'
import { Command } from './command.tsx'
import { Reasons } from './reasons.tsx'
import { Steps } from './steps.tsx'
import './action.css'

interface Props {
  id: string
  action: ApprovalRequest['action']
  /** Starts an edit with the safer command; absent once the request is settled. */
  onUse?: (command: string) => void
  /** Marks the end of what the person must read. */
  end?: RefObject<HTMLDivElement | null>
}

/** The exact action, with its risks marked and explained, and a safer alternative if there is one. */
export function Action({ id, action, onUse, end }: Props) {
  const { tool, input, command, cwd, severity, reasons, safer, rewritten, starts = [], claims = [] } = action
  const translate = useHubTexts()
  const spans = useMemo(() => reasons.map(({ span }) => span), [reasons])
  return (
    <section className={`action severity-${severity}`}>
      <p className="action-location">
        {tool !== undefined && (
          <>
            {t('Tool')}{' '}
            <code>
              <UntrustedText text={tool} />
            </code>{' '}
            ·{' '}
          </>
        )}
        {t('Wants to run in')}{' '}
        <code>
          <UntrustedText text={cwd} />
        </code>
      </p>
      {/* Above the command: on a phone nobody must scroll to learn why it is dangerous. */}
      <Reasons severity={severity} reasons={reasons} />
      <Command command={editableText(action)} spans={spans} />
      {tool !== undefined && command !== undefined && <FullInput input={input ?? null} />}
      <CodeList title={t('Unwrapped and decoded, it runs')} texts={starts} />
      {command !== undefined && <Steps id={id} action={action} />}
      <BoundFiles action={action} />
      <CodeList title={t('The agent says')} texts={claims.map(({ message }) => message)} />
      <div ref={end} className="end-of-command" />
      {safer !== null && safer.trim() !== '' && (
        <div className="safer">
          <p className="eyebrow">{t('Safer alternative')}</p>
          <p className="safer-command">
            <code>
              <UntrustedText text={rewritten ? safer : (translate(safer) ?? safer)} />
            </code>
          </p>
          <p className="safer-buttons">
            {/* An example is not the person's command: its remote, its branch and its files are others. */}
            {onUse && rewritten && (
              <button type="button" className="copy" onClick={() => onUse(safer)}>
                {t('Use this instead…')}
              </button>
            )}
            <CopyButton text={safer} />
          </p>
        </div>
      )}
    </section>
  )
}

/** A shell tool's input has more in it than the command: a time limit, a description, a directory. */
function FullInput({ input }: { input: Json }) {
  return (
    <details className="full-input">
      <summary>{t('The whole input of the tool')}</summary>
      <Command command={JSON.stringify(input, null, 2)} spans={noSpans} />
    </details>
  )
}

/** What the yes is bound to beside the words: files with the contents that were recorded, and what is not covered. */
function BoundFiles({ action: { files = [], facts } }: Pick<Props, 'action'>) {
  const translate = useHubTexts()
  const texts = new Map(facts?.files.map(({ path, text }) => [path, text]))
  const unread = files.filter(path => texts.get(path) === undefined)
  const read = files.filter(path => texts.get(path) !== undefined)
  return (
    <>
      <CodeList title={t('Files in this command')} texts={unread} />
      {read.map(path => (
        <details key={path} className="bound-file">
          <summary>
            {t('What it runs:')}{' '}
            <code>
              <UntrustedText text={path} />
            </code>
          </summary>
          <Command command={texts.get(path)?.trimEnd() ?? ''} spans={noSpans} />
        </details>
      ))}
      <CodeList
        title={t('Your approval does not cover')}
        texts={(facts?.unbound ?? []).map(text => translate(text) ?? text)}
      />
    </>
  )
}

const noSpans: [number, number][] = []

function CodeList({ title, texts }: { title: string; texts: readonly string[] }) {
  if (texts.length === 0) return null
  return (
    <div className="code-list">
      <p className="eyebrow">{title}</p>
      <ul>
        {texts.map((text, i) => (
          <li key={`${i}`}>
            <code>
              <UntrustedText text={text} />
            </code>
          </li>
        ))}
      </ul>
    </div>
  )
}
