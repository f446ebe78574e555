import './system/node-version.ts'

// What programs import. docs/reference.md is written from these names and their types.

export { type OpenHubOptions, openLibraryHub as openHub, type ProgramCaller } from './library/open-library-hub.ts'
export type { AnswerGiven, AnswerInput, CancelInput, DeclineInput, Edited, SkipInput } from './protocol/answer.ts'
export type { Attachment, AttachmentInput } from './protocol/attachment.ts'
export type { Json } from './protocol/canonical-json.ts'
export type { Checkpoint, SaveCheckpointInput } from './protocol/checkpoint.ts'
export type { Draft, DraftInput, DraftReader, Drafts } from './protocol/draft.ts'
export type { Earlier } from './protocol/earlier.ts'
export { BeckonError, type ErrorCode, isTemporary, type Problem } from './protocol/errors.ts'
export type { Event, EventType } from './protocol/event.ts'
export type {
  AskOptions,
  EventsOptions,
  FollowOptions,
  ListFilter,
  RunFilter,
  WaitOptions,
} from './protocol/hub.ts'
export type { Inbox, InboxFilter, SnoozeInput } from './protocol/inbox.ts'
export type { Kept } from './protocol/kept.ts'
export type { Message, MessageInput, OnMessage } from './protocol/message.ts'
export type {
  AddTargetInput,
  ChangeTargetInput,
  NewTarget,
  PushSubscriptionInput,
  Target,
  TargetTest,
} from './protocol/notify.ts'
export type { Pairing, StartedPairing } from './protocol/pairing.ts'
export type { Action, Question } from './protocol/request.ts'
export type { Rule } from './protocol/rule.ts'
export type { ChangeRunInput, Run, StartRunInput } from './protocol/run.ts'
export type { AppendLogInput, LogEnd, LogPage, ReadLogOptions } from './protocol/run-log.ts'
export type { Severity } from './protocol/severity.ts'
export type { Category, DependencyType, Kind, OnTimeout, RunStatus, Status } from './protocol/status.ts'
export type { CreateTokenInput, NewToken, Scope, Token } from './protocol/token.ts'
export type { UseOptions } from './protocol/use.ts'
export type { Explanation, Reason, Step, Verdict } from './protocol/verdict.ts'
export {
  type DependencyVerdict,
  type FileContext,
  type FileKind,
  validateDependencyValue,
} from './rules/dependency-value.ts'
export { type Answerable, type InvalidAnswer, type ValidAnswer, validateAnswer } from './rules/validate-answers.ts'
export type {
  ActionToApprove,
  ApprovalAsk,
  Ask,
  AskCommon,
  AskingAgent,
  AttachedFile,
  DependencyAsk,
  DescribedOption,
  FormAsk,
  Option,
  Prompt,
  QuestionAsk,
  ReasonToApprove,
  ReviewAsk,
} from './typed/ask.ts'
export type { Hub, RequestPage, Settlement, Used } from './typed/hub.ts'
export type { AnswersOf, AnswerTo, Outcome, Settled, ValueOf } from './typed/outcome.ts'
export type { ApprovalRequest, DependencyRequest, QuestionRequest, Request, ReviewRequest } from './typed/request.ts'
