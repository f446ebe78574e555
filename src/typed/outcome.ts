import type { AnswerGiven, Outcome as Recorded } from '../protocol/answer.ts'
import type { Json } from '../protocol/canonical-json.ts'
import type { Ask, Prompt } from './ask.ts'

/**
 * What became of an ask. `value` is what the person chose, typed by the options; null where nobody chose anything, and
 * for forms, whose `answers` are typed one by one. Look at `status` first: it tells which of these it is.
 */
export type Outcome<Given = Ask> =
  | OutcomeOf<'answered' | 'defaulted', ValueOf<Given>, AnswersOf<Given>>
  | OutcomeOf<'skipped', ValueOf<Given> | null, AnswerGiven[]>
  | OutcomeOf<'declined' | 'expired' | 'cancelled' | 'orphaned', null, AnswerGiven[]>

/** One for each status, so that a comparison with one of them narrows the others. */
type OutcomeOf<Status, Value, Answers> = Status extends unknown
  ? Settled & { status: Status; value: Value; answers: Answers }
  : never

/** What every outcome says. */
export interface Settled {
  /** The id of the request. */
  id: string
  /** Who decided. */
  by: string
  /** Where they did: `web`, `terminal`, `cli`, `http`, `rule`, `policy` or another channel. */
  channel: string
  /** When, as ISO 8601 in UTC. */
  at: string
  /** What the person added. */
  note: string | null
  /** Why it was declined, cancelled or orphaned. */
  reason: string | null
  /** Stands for the value of a dependency, which only `use` opens. */
  reference?: string | undefined
  /** The command, or the tool's input, that a person approved instead of the proposed one: run this. */
  edited?: { command: string; input?: undefined } | { input: Json; command?: undefined } | undefined
  /** The decision also became a rule. */
  always?: Recorded['always'] | undefined
}

/**
 * What `value` is once the ask is answered: one of the labels, or a list of them with `multiSelect`; any text where there are
 * no options, or beside them with `allowOther`; `yes` for an approval, `approve` or `changes` for a review; null for a form of
 * several questions and for a dependency.
 */
export type ValueOf<Given> = Given extends { kind: 'dependency' }
  ? null
  : Given extends { kind: 'approval' }
    ? 'yes'
    : Given extends { kind: 'review' }
      ? 'approve' | 'changes'
      : Given extends { questions: infer Prompts extends readonly unknown[] }
        ? ValueOfForm<Prompts>
        : ValueOfPrompt<Given>

/** A form with a single question is that question. */
type ValueOfForm<Prompts extends readonly unknown[]> = Prompts extends readonly [infer Only]
  ? ValueOfPrompt<Only>
  : number extends Prompts['length']
    ? ValueOfPrompt<Prompts[number]> | null
    : null

type ValueOfPrompt<Given> = Given extends { options: infer Options extends readonly unknown[] }
  ? Options extends readonly []
    ? string
    : ChoiceOf<Given, LabelOf<Options[number]>>
  : Given extends { options?: undefined }
    ? string
    : ChoiceOf<Given, string>

type ChoiceOf<Given, Label extends string> =
  IsTrue<Given, 'multiSelect'> extends true
    ? OrOther<Given, Label>[]
    : IsFalse<Given, 'multiSelect'> extends true
      ? OrOther<Given, Label>
      : OrOther<Given, Label> | OrOther<Given, Label>[]

/** `string & {}`: editors still suggest the labels. */
type OrOther<Given, Label extends string> = string extends Label
  ? string
  : IsFalse<Given, 'allowOther'> extends true
    ? Label
    : Label | (string & {})

type LabelOf<Option> = Option extends string
  ? Option
  : Option extends { label: infer Label extends string }
    ? Label
    : never

type IsTrue<Given, Field extends string> = Given extends { [Key in Field]: true } ? true : false

/** Not given is false, too. */
type IsFalse<Given, Field extends string> = Field extends keyof Given
  ? Given extends { [Key in Field]?: false | undefined }
    ? true
    : false
  : true

/** The answers, one for each question of the ask and in their order, each with the labels of its own options. */
export type AnswersOf<Given> = Given extends { questions: infer Prompts extends readonly unknown[] }
  ? { -readonly [Position in keyof Prompts]: AnswerTo<Prompts[Position]> }
  : Given extends { kind: 'dependency' | 'approval' | 'review' }
    ? AnswerGiven[]
    : [AnswerTo<Given>]

/** The answer to one question: the chosen labels, and a text of the person's own. */
export interface AnswerTo<Given = Prompt> extends AnswerGiven {
  /** The id of its question. */
  id: Given extends { id: infer Id extends string } ? Id : string
  /** The labels that were chosen. */
  selected: SelectedOf<Given>[]
}

type SelectedOf<Given> = Given extends { options: infer Options extends readonly unknown[] }
  ? LabelOf<Options[number]>
  : string
