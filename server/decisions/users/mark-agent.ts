/** Marks what an agent writes: the audit log has it from the same commit. */

import type { AgentMark, AgentWrote } from '../../domain/accounts/agent-mark.ts'
import type { LogEvent } from '../../domain/events.ts'
import type { UserId } from '../../domain/ids.ts'
import type { Decided, Decision } from '../decision.ts'

/** The decision with the mark of its agent at the end; a decision that changes nothing has none. */
export function markAgent<Result>(
  decision: Decision<Result>,
  userId: UserId,
  agent: AgentMark | undefined,
): Decision<Result> {
  const [first] = decision.events
  if (!agent || !first) return decision
  const mark: AgentWrote = { type: 'agent_wrote', userId, ...agent, ...describe(eventOf(first)) }
  return { ...decision, events: [...decision.events, mark] }
}

function eventOf(decided: Decided): LogEvent {
  return 'event' in decided ? decided.event : decided
}

function describe(event: LogEvent): Pick<AgentWrote, 'wrote' | 'channelId' | 'messageId' | 'emojiName'> {
  switch (event.type) {
    case 'message':
      return { wrote: 'message', channelId: event.channelId, messageId: null }
    case 'reaction/add':
      return {
        wrote: 'reaction',
        channelId: event.channelId,
        messageId: event.messageId,
        emojiName: event.emojiName,
      }
    case 'drafts/add':
      return { wrote: 'draft', channelId: null, messageId: null }
    default:
      throw new Error(`no agent writes ${event.type}`)
  }
}
