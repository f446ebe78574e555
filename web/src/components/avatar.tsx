import { titleText } from '../text/untrusted-text.tsx'
import './avatar.css'

/** Who asks, at a glance: initials in a colour that follows from the name. Decorative: the name is beside it. */
export function Avatar({ name }: { name: string }) {
  return (
    <span className="avatar" aria-hidden="true" style={{ '--hue': hueOf(name) } as object}>
      {initialsOf(name)}
    </span>
  )
}

/** `claude-code` is CC, `opencode` is OP, `배포 봇` is 배봇. */
function initialsOf(name: string): string {
  const words = titleText(name, 60)
    .split(/[^\p{Letter}\p{Number}]+/u)
    .filter(Boolean)
  const [first = '?', second] = words
  const letters = second ? [firstOf(first), firstOf(second)] : [...first].slice(0, 2)
  return letters.join('').toUpperCase()
}

function firstOf(word: string): string {
  return [...word][0] ?? ''
}

const circle = 360

function hueOf(name: string): number {
  // FNV-1a, so that names which differ by one letter are far apart.
  let hash = 2_166_136_261
  for (const letter of name) hash = Math.imul(hash ^ (letter.codePointAt(0) ?? 0), 16_777_619) >>> 0
  return hash % circle
}
