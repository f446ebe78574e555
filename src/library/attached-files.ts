import type { AskInput, AttachmentInput, HubApi } from '../protocol/index.ts'

/** A file to attach: its path on this machine, or a name and the bytes. */
export type AttachedFile = string | AttachmentInput

type WithPaths<Input> = Input extends unknown
  ? Omit<Input, 'attachments'> & { attachments?: AttachedFile[] | undefined }
  : never

/** An ask of a program, whose files may be paths. */
export type ProgramAskInput = WithPaths<AskInput>

/** The hub as programs have it. */
export interface ProgramHub extends Omit<HubApi, 'ask' | 'raise'> {
  raise(input: ProgramAskInput): ReturnType<HubApi['raise']>
  ask(input: ProgramAskInput, options?: Parameters<HubApi['ask']>[1]): ReturnType<HubApi['ask']>
}

/** The ask with every path read. What else is wrong with it, the hub says. */
export async function withFiles(input: ProgramAskInput, directory: string): Promise<AskInput> {
  const given = input?.attachments
  if (!Array.isArray(given) || !given.some(file => typeof file === 'string')) return input as AskInput
  const { readAttachments } = await import('../system/read-attachment.ts')
  const paths = given.filter(file => typeof file === 'string')
  const read = await readAttachments(paths, { directory })
  const attachments = given.map(file => (typeof file === 'string' ? (read.shift() as AttachmentInput) : file))
  return { ...input, attachments } as AskInput
}
