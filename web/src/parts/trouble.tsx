import { SaidTitle } from '../text/untrusted-text.tsx'
import { told } from '../words/words.ts'

/** What went wrong, in the words of whoever said it; they may repeat what an agent wrote. */
export function Trouble({ text, wide = false }: { text: string | null; wide?: boolean }) {
  if (text === null) return null
  return (
    <p className={wide ? 'notice bad' : 'problem'} role="alert">
      <SaidTitle text={told(text)} longest={1_000} />
    </p>
  )
}
