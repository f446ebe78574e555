import type { Analysis } from '../interpret/analysis.ts'
import type { Argument } from '../interpret/arguments.ts'
import type { Language } from '../languages/language.ts'
import type { ProgramCall } from '../program-call.ts'
import { openFile, runFile } from './run-script.ts'

/** `python tool.py`, `node scripts/build`: code of another language in a file. */
export function runCodeFile(
  language: Language,
  file: Argument,
  { args, frame }: ProgramCall,
  analysis: Analysis,
): void {
  if (!analysis.files) return
  for (const ending of language === 'javascript' ? moduleEndings : ['', '/__main__.py']) {
    const found = openFile(`${file.value}${ending}`, file, frame, analysis)
    if (!found) continue
    runFile(found, { args, language }, frame, analysis)
    return
  }
}

const moduleEndings = ['', '.js', '.mjs', '.cjs', '.ts', '/index.js', '/index.mjs', '/index.ts']

/** `python -m tools.clean` is tools/clean.py, if it is there. */
export function runModule(call: ProgramCall, analysis: Analysis): void {
  if (!analysis.files) return
  const at = call.args.findIndex(({ value }) => /^-[A-Za-z]*m$/.test(value))
  const module = call.args[at + 1]
  if (at < 0 || !module || !/^[\w.]+$/.test(module.value)) return
  const path = module.value.replaceAll('.', '/')
  for (const name of [`${path}.py`, `${path}/__main__.py`]) {
    const found = openFile(name, module, call.frame, analysis)
    if (found) runFile(found, { args: call.args.slice(at + 2), language: 'python' }, call.frame, analysis)
  }
}
