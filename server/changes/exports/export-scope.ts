/** The contents of an export: public data, also private data of users who allow it, or everything. */

import type { MessageScope } from '../../../db/exports/exported-messages.ts'
import type { User } from '../../domain/entities.ts'
import type { ChannelId, HoldId, UserId } from '../../domain/ids.ts'
import type { ExportKind } from '../../domain/organization/exports.ts'
import type { OrganizationState } from '../../state/organization-state.ts'

/** The kinds of administrators; an operator, who has the database anyway, may also have everything. */
export type ExportContents = ExportKind | 'everything' | PersonContents | HoldContents

/** One person's own data: their account, what they wrote, and their direct messages. */
export interface PersonContents {
  readonly person: UserId
}

/** All that a legal hold holds, also messages and files that were deleted. */
export interface HoldContents {
  readonly hold: HoldId
}

/** The parts of the organization in an export. */
export interface ExportScope {
  readonly contents: ExportContents
  readonly channelIds: ReadonlySet<ChannelId>
  readonly messages: MessageScope
  /** The users whose private data it has: real addresses, direct messages and marks. */
  readonly userIds: ReadonlySet<UserId>
}

/** The parts that an export with some contents has. */
export function findExportScope(state: OrganizationState, contents: ExportContents): ExportScope {
  if (typeof contents === 'object')
    return 'hold' in contents ? scopeOfHold(state, contents) : scopeOfPerson(state, contents)
  const userIds = new Set(
    [...state.users.values()].filter((user) => gives(state, user, contents)).map(({ id }) => id),
  )
  const channels = [...state.channels.values()]
  const whole: ChannelId[] = []
  const received: ChannelId[] = []
  for (const { channel, subscribers } of channels) {
    if (!channel.isPrivate || contents === 'everything') whole.push(channel.id)
    else if (subscribers.toArray().some((id) => userIds.has(id)))
      (channel.isHistoryPublic ? whole : received).push(channel.id)
  }
  return {
    contents,
    channelIds: new Set([...whole, ...received]),
    messages: { channelIds: whole, receivedChannelIds: received, userIds: [...userIds], senderIds: [] },
    userIds,
  }
}

/** Whether an export has private data of a user. A bot's is its owner's to give. */
function gives(
  state: OrganizationState,
  user: User,
  contents: Exclude<ExportContents, PersonContents | HoldContents>,
): boolean {
  if (contents !== 'consented') return contents === 'everything'
  const id = user.botType === null ? user.id : user.botOwnerId
  const owner = id === null ? undefined : state.users.get(id)
  return (
    owner?.isActive === true && owner.botType === null && state.settingsOf(owner.id).allowPrivateDataExport
  )
}

/** The channels are those that the person is subscribed to; others that they wrote to and may read come with the messages. */
function scopeOfPerson(state: OrganizationState, contents: PersonContents): ExportScope {
  const userIds = [contents.person]
  return {
    contents,
    channelIds: new Set(state.subscribedChannels(contents.person).map(({ channel }) => channel.id)),
    messages: { channelIds: [], receivedChannelIds: [], userIds, senderIds: userIds },
    userIds: new Set(userIds),
  }
}

/** With the names of all channels and the addresses of all people; the messages are read by the hold itself. */
function scopeOfHold(state: OrganizationState, contents: HoldContents): ExportScope {
  return {
    contents,
    channelIds: new Set(state.channels.keys()),
    messages: { channelIds: [], receivedChannelIds: [], userIds: [], senderIds: [] },
    userIds: new Set(state.users.keys()),
  }
}

/** The name of some contents. */
export function nameOfContents(contents: ExportContents): string {
  if (typeof contents !== 'object') return contents
  return 'hold' in contents ? 'hold' : 'person'
}
