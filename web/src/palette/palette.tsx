import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from 'react'
import type { InboxRow } from '../../../src/protocol/inbox.ts'
import { projectOf } from '../../../src/rules/asker.ts'
import { go, useRoute } from '../router.tsx'
import { requestPath } from '../state/view.ts'
import { CommandText } from '../text/command-text.tsx'
import { titleText, UntrustedTitle } from '../text/untrusted-text.tsx'
import { rowKindName } from '../words/names.ts'
import { t } from '../words/translate.ts'
import { type Command, commandsOn, matching } from './commands.ts'
import { useFound } from './use-found.ts'
import './palette.css'

type Line = { id: string; command: Command } | { id: string; row: InboxRow }

/** Everything that can be done, and every request that waits, behind one key. */
export default function Palette({ onClose }: { onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null)
  const { page } = useRoute()
  const [search, setSearch] = useState('')
  const [at, setAt] = useState(0)
  const commands = useMemo(() => commandsOn(page), [page])
  const found = useFound(search)
  const lines: Line[] = [
    ...found.map(row => ({ id: `palette-${row.id}`, row })),
    ...matching(commands, search).map((command, i) => ({ id: `palette-command-${i}`, command })),
  ]
  const chosen = lines[Math.min(at, lines.length - 1)]
  useEffect(() => dialog.current?.showModal(), [])
  useEffect(() => {
    if (chosen) document.getElementById(chosen.id)?.scrollIntoView({ block: 'nearest' })
  }, [chosen])

  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes a dialog by itself
    <dialog
      ref={dialog}
      className="palette"
      aria-label={t('Command palette')}
      onClose={onClose}
      onClick={event => event.target === dialog.current && dialog.current.close()}
    >
      <input
        className="palette-input"
        role="combobox"
        aria-expanded="true"
        aria-controls="palette-lines"
        aria-activedescendant={chosen?.id}
        aria-label={t('Find a request or a command')}
        placeholder={t('Find a request or a command')}
        autoComplete="off"
        spellCheck={false}
        value={search}
        onChange={event => {
          setSearch(event.target.value)
          setAt(0)
        }}
        onKeyDown={pressed}
      />
      <div className="palette-lines" id="palette-lines" role="listbox" aria-label={t('Command palette')}>
        {lines.map((line, i) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are those of the field above
          <div
            key={line.id}
            id={line.id}
            role="option"
            tabIndex={-1}
            aria-selected={line.id === chosen?.id}
            className="palette-line"
            onPointerMove={() => setAt(i)}
            onClick={() => run(line)}
          >
            {'row' in line ? <FoundRequest row={line.row} /> : <CommandLine command={line.command} />}
          </div>
        ))}
        {lines.length === 0 && <p className="palette-none">{t('Nothing found')}</p>}
      </div>
    </dialog>
  )

  function pressed(event: KeyboardEvent) {
    // The Enter that ends the input of a Korean or Chinese word.
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Enter') {
      event.preventDefault()
      if (chosen) run(chosen)
    }
    const by = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (by === 0 || lines.length === 0) return
    event.preventDefault()
    setAt((Math.min(at, lines.length - 1) + by + lines.length) % lines.length)
  }

  function run(line: Line) {
    dialog.current?.close()
    // Keys act only once the dialog is gone.
    setTimeout(() => ('row' in line ? go(requestPath(line.row.id)) : line.command.run()))
  }
}

function FoundRequest({ row }: { row: InboxRow }) {
  const { agent, directory, kind, title } = row
  return (
    <>
      <span className={`palette-title ${kind === 'approval' ? 'mono' : ''}`} dir="auto">
        {kind === 'approval' ? (
          <CommandText text={titleText(title, 160)} />
        ) : (
          <UntrustedTitle text={title} longest={160} />
        )}
      </span>
      <span className="palette-quiet">
        <UntrustedTitle text={`${agent} · ${projectOf(directory) ?? directory}`} longest={60} /> · {rowKindName(row)}
      </span>
    </>
  )
}

function CommandLine({ command }: { command: Command }) {
  return (
    <>
      <span className="palette-title">{command.says}</span>
      {command.key !== null && (
        <span className="palette-keys">
          {command.key.split(' ').map(key => (
            <kbd key={key}>{key}</kbd>
          ))}
        </span>
      )}
    </>
  )
}
