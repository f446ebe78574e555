import { useState } from 'react'
import { AutoSizeTextarea } from '../components/auto-size-textarea.tsx'
import { t } from '../words/translate.ts'
import './note.css'

interface Props {
  label: string
  value: string
  onChange: (note: string) => void
}

/** Something to say beside the decision. A button until it is wanted. */
export function Note({ label, value, onChange }: Props) {
  const [open, setOpen] = useState(false)
  if (!open && value === '') {
    return (
      <button type="button" className="add-note" onClick={() => setOpen(true)}>
        {t('+ Add a note')}
      </button>
    )
  }
  return <AutoSizeTextarea labelled label={label} value={value} rows={2} focus={open} onChange={onChange} />
}
