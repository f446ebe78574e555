import { UntrustedTitle } from '../text/untrusted-text.tsx'

interface Props {
  text: string | null
  wide?: boolean
  id?: string
}

/** An error. Its text may repeat what an agent wrote, so it is untrusted. */
export function ErrorMessage({ text, wide = false, id }: Props) {
  if (text === null) return null
  return (
    <p className={wide ? 'notice bad' : 'problem'} id={id} role="alert">
      <UntrustedTitle text={text} longest={1_000} />
    </p>
  )
}
