import type {
  ActionToApprove,
  ApprovalAsk,
  AskingAgent,
  DependencyAsk,
  DescribedOption,
  FormAsk,
  Prompt,
  QuestionAsk,
  ReviewAsk,
} from './ask.ts'

/**
 * The ask, with `never` for every field that there is not: a type parameter takes any further field, and a typing error
 * would only show when the program runs.
 */
export type KnownFields<Given> = Given extends { kind: 'dependency' }
  ? Known<Given, DependencyAsk>
  : Given extends { kind: 'approval' }
    ? Known<Given, ApprovalAsk>
    : Given extends { kind: 'review' }
      ? Known<Given, ReviewAsk>
      : Given extends { questions: readonly unknown[] }
        ? Known<Given, FormAsk>
        : Known<Given, QuestionAsk>

type Known<Given, Expected> = {
  [Field in keyof Given]: Field extends keyof Expected ? KnownInside<Given[Field], Field> : never
}

type KnownInside<Value, Field> = Field extends 'questions'
  ? { [Position in keyof Value]: Known<Value[Position], Prompt> }
  : Field extends 'options'
    ? { [Position in keyof Value]: Value[Position] extends string ? string : Known<Value[Position], DescribedOption> }
    : Field extends 'action'
      ? Known<Value, ActionToApprove>
      : Field extends 'agent'
        ? Known<Value, AskingAgent>
        : Value
