import type { Language } from '../language.ts'
import type { CallPattern } from './call-pattern.ts'
import { c, java, rust } from './compiled.ts'
import { elixir, erlang, haskell, lisp } from './functional.ts'
import { javascript } from './javascript.ts'
import { perl, php, ruby } from './perl-php-ruby.ts'
import { python } from './python.ts'
import { julia, octave, r } from './scientific.ts'
import { applescript, awk, lua, nim, tcl } from './small.ts'

/** To cover a new call, add a line to its language. */
export const dangerousCalls: Readonly<Record<Language, readonly CallPattern[]>> = {
  python,
  javascript,
  ruby,
  perl,
  php,
  lua,
  awk,
  applescript,
  r,
  julia,
  elixir,
  erlang,
  haskell,
  lisp,
  nim,
  octave,
  tcl,
  java,
  c,
  rust,
}
