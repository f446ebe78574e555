import type { Analysis, Frame } from './analysis.ts'
import type { Argument } from './arguments.ts'

export function reportRemoteCode({ span }: Pick<Argument, 'span'>, frame: Frame, analysis: Analysis): void {
  analysis.report({
    rule: 'network/remote-code',
    message: 'runs code straight from the network',
    span: span[0] === span[1] ? frame.span : span,
    verdict: 'ask',
    severity: 'high',
    safer: 'download the code, read it, then run it',
  })
}

export function reportDynamicCode({ span }: Pick<Argument, 'span'>, frame: Frame, analysis: Analysis): void {
  analysis.report({
    rule: 'shell/dynamic-code',
    message: 'runs code that is known only at run time',
    span: span[0] === span[1] ? frame.span : span,
    verdict: 'ask',
    severity: 'medium',
    safer: 'write the commands out',
  })
}
