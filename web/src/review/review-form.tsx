import { type ReactNode, type RefObject, useCallback, useMemo, useState } from 'react'
import type { Decision } from '../../../src/form/answer-form.ts'
import { formatFeedback, type LineKey, parseFeedback, withComment } from '../../../src/form/review-feedback.ts'
import { limits } from '../../../src/protocol/limits.ts'
import type { ReviewRequest } from '../../../src/protocol/request.ts'
import { parseDiff } from '../../../src/text/diff.ts'
import { DecisionBar } from '../bar/decision-bar.tsx'
import { TextPanel } from '../bar/text-panel.tsx'
import { useAskBack } from '../bar/use-ask-back.ts'
import { Verb } from '../bar/verb.tsx'
import { DraftOffers } from '../request/draft-offers.tsx'
import { RequestFrame } from '../request/request-frame.tsx'
import { RequestHeader } from '../request/request-header.tsx'
import { useAnswerForm } from '../request/use-answer-form.ts'
import { useSettle } from '../request/use-settle.ts'
import { useTitleFocus } from '../request/use-title-focus.ts'
import { locale, t } from '../words/translate.ts'
import { ChangedFiles } from './changed-files.tsx'
import { RestoreCheckpoint } from './restore-checkpoint.tsx'
import { useViewed } from './use-viewed.ts'

interface Props {
  request: ReviewRequest
  title: RefObject<HTMLHeadingElement | null>
  /** What the agent says about its work. */
  about: ReactNode
}

/** A finished phase as a pull request: the summary, every changed file, comments on lines, and two verbs. */
export function ReviewForm({ request, title, about }: Props) {
  const { form, ready, offers, saved, update, finish } = useAnswerForm(request)
  useTitleFocus(title)
  const { busy, problem, setProblem, decide } = useSettle(form, finish)
  const askBack = useAskBack(request)
  const viewed = useViewed(request.id)
  const [isWriting, setWriting] = useState(false)
  const files = useMemo(() => parseDiff(request.diff ?? ''), [request.diff])
  const { text } = form.entry(0)
  const feedback = useMemo(() => parseFeedback(text, files), [text, files])
  const { length: count } = feedback.comments
  const comment = useCallback(
    (key: LineKey, text: string) => {
      setProblem(null)
      update(form => {
        const now = parseFeedback(form.entry(0).text, files)
        form.change(0, { text: formatFeedback(withComment(now, key, text), files) })
      })
    },
    [setProblem, update, files],
  )
  return (
    <RequestFrame
      request={request}
      messages={askBack.messages}
      bar={
        <DecisionBar
          request={request}
          askBack={askBack}
          problem={problem}
          busy={busy}
          status={saved === 'saved' ? t('Draft saved') : saved === 'failed' ? t('Draft not saved') : ''}
          onDecline={reason => decide({ verb: 'decline', reason }, t('Declined'))}
          declineVerb={{ needsReason: false }}
          onSkip={request.required ? undefined : () => decide({ verb: 'skip', note: null }, t('Skipped'))}
          panelKey="r"
          panel={
            isWriting && (
              <TextPanel
                label={t('What needs to change?')}
                hint={count > 0 ? commentCount() : undefined}
                value={feedback.rest}
                onChange={write}
                verb={t('Request changes')}
                needed={count > 0 ? null : t('Say what should be changed, or comment on a line.')}
                busy={busy || !ready}
                onSubmit={requestChanges}
                onCancel={() => setWriting(false)}
              />
            )
          }
        >
          <Verb look="primary" shortcut="a" busy={busy || !ready} onPress={approve}>
            {t('Approve')}
          </Verb>
          <Verb
            shortcut="r"
            busy={busy || !ready}
            hint={count > 0 ? commentCount() : undefined}
            onPress={() => setWriting(true)}
          >
            {t('Request changes')}
          </Verb>
        </DecisionBar>
      }
    >
      <RequestHeader request={request} title={title} />
      {about}
      {ready && <DraftOffers {...offers} use={offers.use} />}
      {files.length > 0 ? (
        <ChangedFiles files={files} viewed={viewed} feedback={feedback} onComment={comment} />
      ) : (
        <p className="quiet">{t('No changes to show: nothing changed, or the files are not in a git repository.')}</p>
      )}
      {request.run !== null && <RestoreCheckpoint request={request} run={request.run} />}
    </RequestFrame>
  )

  function write(rest: string) {
    setProblem(null)
    update(form => form.change(0, { text: formatFeedback({ ...feedback, rest }, files) }))
  }

  /** What the person wrote goes along, as a remark: the agent need not do anything about it. */
  function approve() {
    const note = text.trim()
    if (note.length > limits.note) {
      const values = { length: note.length.toLocaleString(locale()), most: limits.note.toLocaleString(locale()) }
      return setProblem(t('What you wrote is too long to go along: {length} characters, at most {most}.', values))
    }
    send(0, t('Approved'), note === '' ? {} : { note })
  }

  function requestChanges() {
    send(1, t('Changes requested'), {})
  }

  function send(option: 0 | 1, says: string, more: { note?: string }) {
    form.choose(0, option)
    const decision: Decision = form.decision()
    form.clear(0)
    decide(decision.verb === 'answer' ? { ...decision, input: { ...decision.input, ...more } } : decision, says)
  }

  function commentCount(): string {
    return count === 1 ? t('1 comment') : t('{count} comments', { count })
  }
}
