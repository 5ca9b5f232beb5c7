/** What a text becomes as a message: its HTML, and whom it mentions where it is sent. */

import type { User } from '../domain/entities.ts'
import type { ChannelId, GroupId, UserId } from '../domain/ids.ts'
import type { Mentions } from '../domain/message-flags.ts'
import type { UserSet } from '../domain/user-set.ts'
import type { OrganizationState } from '../state/organization-state.ts'
import type { Services } from './operation.ts'

/** Where a text is to be read. */
export type Audience =
  | { readonly kind: 'channel'; readonly channelId: ChannelId; readonly topic: string }
  | { readonly kind: 'direct'; readonly userIds: readonly UserId[] }

/** A text that is rendered, before it is decided who receives it. */
export interface ComposedMessage {
  readonly rendered: string
  readonly userIds: readonly UserId[]
  readonly groupIds: readonly GroupId[]
  /** Those who take part in the topic, where it mentions them together. */
  readonly participantIds: readonly UserId[]
  readonly isForAll: boolean
}

/** Renders a text with what its author may name. */
export async function composeMessage(
  content: string,
  _author: User,
  _audience: Audience,
  { render }: Services,
): Promise<ComposedMessage> {
  return { rendered: await render(content), userIds: [], groupIds: [], participantIds: [], isForAll: false }
}

/** Whom it mentions of those who receive it, as of the state it is decided on; throws what its author may not do. */
export function decideMentions(
  { userIds, isForAll }: ComposedMessage,
  _author: User,
  recipients: UserSet,
  _state: OrganizationState,
): Partial<Mentions> {
  void userIds
  void recipients
  return isForAll ? { isForAll } : {}
}
