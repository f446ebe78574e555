import { describe, expect, it } from 'vitest'
import { AnswerForm } from '../../src/form/answer-form.ts'
import { DraftOffers, offerText } from '../../src/form/draft-offers.ts'
import type { Draft } from '../../src/protocol/draft.ts'
import { anApproval, aQuestion, aRequest } from '../terminal/requests.ts'

const request = aRequest([aQuestion({ labels: ['a', 'b'] }), aQuestion({ id: 'q2' })])

function draftOf(by: string, answers: { id: string; selected?: string[]; text?: string }[], at = '2026-01-01'): Draft {
  return { by, at, note: null, answers: answers.map(one => ({ selected: [], text: null, note: null, ...one })) }
}

describe('the drafts of others', () => {
  it('are offered only where they would change the form', () => {
    const form = new AnswerForm(request)
    const same = draftOf('ada', [{ id: 'q1', selected: ['a'] }])
    const gone = draftOf('bo', [{ id: 'q9', text: 'of another request' }])
    const offers = new DraftOffers([same, gone])
    expect(offers.offered(form).map(({ draft }) => draft.by)).toEqual(['ada'])
    form.choose(0, 0)
    expect(offers.offered(form)).toEqual([])
    form.choose(0, 1)
    expect(offers.offered(form).map(offerText)).toEqual(['a'])
  })

  it('replace what was filled in, and give it back until something is changed', () => {
    const form = new AnswerForm(request)
    form.write(1, 'mine')
    const offers = new DraftOffers([draftOf('ada', [{ id: 'q1', selected: ['b'] }])])
    const [offer] = offers.offered(form)
    if (!offer) throw new Error('Nothing is offered.')
    offers.use(form, offer)
    expect([form.labels(0), form.entry(1).text]).toEqual([['b'], ''])
    expect(offers.used(form)?.draft.by).toBe('ada')
    offers.undo(form)
    expect([form.labels(0), form.entry(1).text]).toEqual([[], 'mine'])
    offers.use(form, offer)
    form.write(1, 'more')
    expect([offers.used(form), offers.offered(form)]).toEqual([null, []])
  })

  it('are not offered again once discarded, until their author changes them', () => {
    const form = new AnswerForm(request)
    const draft = draftOf('ada', [{ id: 'q2', text: 'half' }])
    const offers = new DraftOffers([draft])
    for (const offer of offers.offered(form)) offers.discard(offer)
    expect(offers.offered(form)).toEqual([])
    offers.update([draft])
    expect(offers.offered(form)).toEqual([])
    offers.update([draftOf('ada', [{ id: 'q2', text: 'half more' }], '2026-01-02')])
    expect(offers.offered(form).map(offerText)).toEqual(['half more'])
  })
})

describe('a dangerous yes', () => {
  it.each(['high', 'critical'] as const)(
    'of severity %s is neither saved in a draft nor restored from one',
    severity => {
      const form = new AnswerForm(anApproval(severity))
      form.choose(0, 0)
      expect(form.answers()).toEqual([])
      form.change(0, { note: 'careful' })
      expect(form.answers()).toMatchObject([{ selected: [], note: 'careful' }])
      expect(form.decision()).toMatchObject({ verb: 'answer', input: { answers: [{ selected: ['yes'] }] } })
      const restored = new AnswerForm(anApproval(severity))
      restored.restore([{ id: 'approval', selected: ['yes'], text: null, note: 'careful' }])
      expect([restored.labels(0), restored.entry(0).note]).toEqual([[], 'careful'])
      expect(new DraftOffers([draftOf('ada', [{ id: 'approval', selected: ['yes'] }])]).offered(form)).toEqual([])
      restored.restore([{ id: 'approval', selected: ['no'], text: null, note: null }])
      expect(restored.labels(0)).toEqual(['no'])
    },
  )

  it('of low severity is kept in a draft like any other answer', () => {
    const form = new AnswerForm(anApproval('low'))
    form.choose(0, 0)
    expect(form.answers()).toMatchObject([{ selected: ['yes'] }])
  })
})
