import type { LeasedMessage } from '../hub/outbox.ts'
import type { Request, Run, Severity } from '../protocol/index.ts'
import { isUrgent } from '../rules/urgent.ts'
import { type Fact, factsOf, factsOfRun } from './facts.ts'
import { type Link, linkTo } from './link.ts'
import { describeSettlement } from './settlement.ts'
import { short, titleFor, titleOfFailure } from './title.ts'

// What a person is told, before a channel gives it a form: enough to decide whether to open the inbox. All texts are
// harmless lines. Never the context, an answer or a secret.

export interface Message {
  event: LeasedMessage['event'] | 'test'
  /** The same for every retry, so that receivers can recognise duplicates. */
  id: string
  at: string
  /** The id of the request or the run; `test` for a test. Messages with the same one replace each other where a channel can. */
  subject: string
  /** What it is in a word or two: `approval`, `run failed`; null for a test. */
  heading: string | null
  /** The question in one line. */
  title: string
  /** Who asks, where, how dangerous it is, until when. */
  facts: Fact[]
  /** Once settled: how, and by whom. */
  settlement: string | null
  urgency: Urgency
  link: Link
  /** What a reader may press instead of following the link; only where the message shows the request whole. */
  answering: Answering | null
  /** What the message is about, for channels that show more of it; null for a test. */
  about: Request | Run | null
}

export interface Answering {
  /** The whole request, in as many lines as it takes; empty where the title is all of it. */
  text: string
  /** What a button says, and what comes back when somebody presses it. */
  buttons: { label: string; button: string }[]
  /** Where a phone sends what was pressed, for services that have no way of their own. */
  url: string
}

/** Low: nobody needs to look up from their work. */
export type Urgency = 'low' | 'normal' | 'high'

export interface Reader {
  /** The address of the inbox. */
  inbox: string
  /** The machine that the inbox is on. */
  host: string
  timeZone?: string | undefined
}

export function messageOf({ event, id, at, about, leasedAt }: LeasedMessage, reader: Reader): Message {
  const isRequest = 'kind' in about
  return {
    event,
    id,
    at,
    subject: about.id,
    heading: isRequest ? about.kind : 'run failed',
    title: isRequest ? titleFor(about) : titleOfFailure(about),
    facts: isRequest ? factsOf(about, reader.timeZone) : factsOfRun(about),
    settlement: isRequest && event === 'request.settled' ? describeSettlement(about) : null,
    urgency: urgencyOf(event, leasedAt, about),
    link: linkTo(`${isRequest ? 'requests' : 'runs'}/${about.id}`, reader),
    answering: null,
    about,
  }
}

export function testMessage(id: string, at: number, reader: Reader): Message {
  return {
    event: 'test',
    id,
    at: new Date(at).toISOString(),
    subject: 'test',
    heading: null,
    title: 'This is a test message from Beckon.',
    facts: [{ name: 'On', value: short(reader.host) }],
    settlement: null,
    urgency: 'normal',
    link: linkTo('', reader),
    answering: null,
    about: null,
  }
}

/** The title with what happened to it: for channels that show one line of it. */
export function headline({ event, title, settlement }: Message): string {
  if (settlement !== null) return `${settlement}: ${title}`
  return event === 'request.reminded' ? `Still waiting: ${title}` : title
}

export function severityOf(about: Request): Severity | null {
  return about.kind === 'approval' ? about.action.severity : null
}

/** High for dangerous actions, and for requests whose deadline is near when it is sent, which may be long after the event. */
function urgencyOf(event: Message['event'], now: string, about: Request | Run): Urgency {
  if (event === 'request.settled') return 'low'
  if (!('kind' in about)) return 'normal'
  const severity = severityOf(about)
  const danger = severity === 'critical' || severity === 'high' ? 3 : 0
  const deadline = about.deadline === null ? null : Date.parse(about.deadline)
  return isUrgent({ danger, deadline }, Date.parse(now)) ? 'high' : 'normal'
}
