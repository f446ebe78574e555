import type { Analysis, Frame } from './analysis.ts'
import type { Argument } from './arguments.ts'

export function reportRemoteCode({ span }: Pick<Argument, 'span'>, frame: Frame, analysis: Analysis): void {
  analysis.report({
    rule: 'network/remote-code',
    message: 'runs code straight from the network, unseen',
    span: span[0] === span[1] ? frame.span : span,
    verdict: 'ask',
    severity: 'high',
    safer: 'download it to a file, read it, then run it',
  })
}

export function reportDynamicCode({ span }: Pick<Argument, 'span'>, frame: Frame, analysis: Analysis): void {
  analysis.report({
    rule: 'shell/dynamic-code',
    message: 'runs shell code that is only known when it runs',
    span: span[0] === span[1] ? frame.span : span,
    verdict: 'ask',
    severity: 'medium',
    safer: 'write the commands out',
  })
}
