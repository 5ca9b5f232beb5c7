/** Deletes messages that are older than the retention of their channel or of the organization allows. */

import type { ExpiredInChannel, ExpiredInConversation } from '../../../db/messages/expired-messages.ts'
import { expiryOf, retentionDaysOf } from '../../domain/messages/retention.ts'
import { answering, type Decision } from '../decision.ts'
import type { ServerScope } from '../scope.ts'
import { deleteFromChannel, deleteFromConversation } from './deletion-events.ts'

/** Messages that had expired when they were read, with their dependent data. */
export type Expired =
  | ({ readonly kind: 'channel' } & ExpiredInChannel)
  | ({ readonly kind: 'direct' } & ExpiredInConversation)

/** Deletes them, and answers their number: 0 if the settings keep the newest of them by now. */
export function decideExpiry(scope: ServerScope, expired: Expired): Decision<number> {
  const { state, now } = scope
  const { messageRetentionDays } = state.settings
  const own = expired.kind === 'channel' ? state.getChannel(expired.channelId).channel.retentionDays : null
  const days = retentionDaysOf(own, messageRetentionDays)
  if (days === undefined || expired.sentAt >= expiryOf(days, now)) return answering(0, [])
  if (expired.kind === 'direct')
    return answering(expired.messageIds.length, deleteFromConversation(scope, expired))
  const { channelId, topic, deletion } = expired
  return answering(
    deletion.messageIds.length,
    deleteFromChannel(scope, { channel: state.getChannel(channelId), topic, deletion }),
  )
}
