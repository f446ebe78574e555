import type { AskedAction, Judgement, Surroundings } from '../approval/judge-action.ts'
import {
  type Action,
  type Ask,
  BeckonError,
  type Edited,
  type Explanation,
  editedSchema,
  invalid,
} from '../protocol/index.ts'
import { parse } from '../protocol/parse.ts'
import { mayApprove, needsCarefulChannel } from '../rules/careful-channel.ts'
import { commandRules } from '../rules/command-rules.ts'
import type { RequestRecord } from '../store/records.ts'
import type { Store } from '../store/store.ts'
import { inForce } from './approval-rules.ts'
import type { Caller } from './caller.ts'
import { notFound } from './not-found.ts'
import { toRequest, toRule } from './to-protocol.ts'

type AskApproval = Extract<Ask, { kind: 'approval' }>

interface Options {
  store: Store
  caller: Caller
  /** This machine, and its environment, for askers on it. */
  host: string
  env: NodeJS.ProcessEnv
}

export type Judging = ReturnType<typeof createJudging>

// The guard and all its rules take time to load: only approvals wait for them.
const loadGuard = () => import('../approval/judge-action.ts')

/** The hub believes no asker: it judges every action with its own guard, and computes what a yes is bound to. */
export function createJudging({ store, caller, host, env }: Options) {
  return {
    /** The action as it is stored; refused where the guard or a person's rule denies it. */
    async ask({ action, agent }: AskApproval): Promise<Action> {
      const { judgeAsk } = await loadGuard()
      const { command, argv, tool, input, facts, severity, reasons } = action
      const cwd = action.cwd ?? agent.cwd ?? caller.directory
      const asked: AskedAction = { command, argv, tool, input, cwd, facts, severity, reasons }
      return judgeAsk(asked, await surroundings(caller.host))
    },

    /** What the guard says about a person's version of an action. */
    async edit(id: string, edited: Edited): Promise<Explanation> {
      const judged = await judgeEdit(await needRecord(id), parse(editedSchema, edited))
      const { verdict, severity, reasons, safer, rewritten, steps, omitted } = judged
      return { verdict, severity, reasons, safer, ...(rewritten ? { rewritten } : {}), steps, omitted }
    },

    /** Refuses a person's version that the guard refuses, or that this channel may not approve. */
    async checkEdit(id: string, edited: Edited, channel: string): Promise<void> {
      const record = await needRecord(id)
      if (record.kind !== 'approval') throw invalid([{ path: 'edited', message: 'is for approvals only' }])
      // Who comes too late learns who was first, and not what is wrong with the edit.
      if (record.status !== 'pending') return
      const { verdict, severity, reasons } = await judgeEdit(record, edited)
      const { describeReasons } = await loadGuard()
      const why = describeReasons(reasons)
      if (verdict === 'deny') throw invalid([{ path: 'edited', message: `is refused: ${why}` }])
      if (!mayApprove(severity, channel)) throw needsCarefulChannel(why)
    },

    /** Whether this rule, and no stricter one, allows the action of a request. */
    async isAllowedBy(id: string, rule: string): Promise<boolean> {
      const record = await needRecord(id)
      const request = toRequest(record)
      if (request.kind !== 'approval') return false
      // The asker may have said that it is worse than it looks; no rule is about that.
      if (request.action.severity === 'critical') return false
      const { isAllowedByRule } = await loadGuard()
      return isAllowedByRule(asAsked(request.action), await surroundings(record.host), rule)
    },
  }

  async function judgeEdit(record: RequestRecord, edited: Edited): Promise<Judgement> {
    const request = toRequest(record)
    if (request.kind !== 'approval') {
      throw invalid([{ path: 'id', message: `${record.id} is a ${record.kind}, not an approval` }])
    }
    const { folderOf, judgeAction } = await loadGuard()
    const { action } = request
    if ('input' in edited && action.tool === undefined) {
      throw invalid([{ path: 'edited.input', message: 'is for tools; this approval is for a command' }])
    }
    if ('command' in edited && action.command === undefined) {
      throw invalid([{ path: 'edited.command', message: `is for commands; give another input for ${action.tool}` }])
    }
    const version =
      'input' in edited
        ? { tool: action.tool, input: edited.input, cwd: action.cwd }
        : { command: edited.command, cwd: folderOf(action) }
    return judgeAction(version, await surroundings(record.host))
  }

  /** Nothing of this machine is looked at for an asker on another one. */
  async function surroundings(askedOn: string): Promise<Surroundings> {
    const rules = await store.read(async view => {
      const now = await view.now()
      return commandRules((await view.rules()).filter(rule => inForce(rule, now)).map(toRule))
    })
    return { env: askedOn === host ? env : null, rules }
  }

  async function needRecord(id: string): Promise<RequestRecord> {
    const record = await store.read(view => view.request(id))
    if (!record) throw notFound('request', id)
    return record
  }
}

/** The command of a shell tool is the hub's reading of its input, not a part of what was asked. */
function asAsked({ command, argv, tool, input, cwd, facts }: Action): AskedAction {
  return tool === undefined ? { command, argv, cwd, facts } : { tool, input, cwd, facts }
}

export function notCovered(id: string, rule: string): BeckonError {
  return new BeckonError('not_granted', `${rule} does not cover ${id}. A person decides.`)
}
