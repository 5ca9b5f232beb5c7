/** Brings over what people chose: settings, statuses, and how they see channels and topics. Choices that they made here stay. */

import { TOPIC_VISIBILITIES, type TopicVisibility } from '../../../../packages/rules/topics.ts'
import { STATUS_TEXT_LENGTH_MAX } from '../../../../packages/rules/limits.ts'
import { decideSubscriptionSettings } from '../../../decisions/channels/change-subscription-settings.ts'
import { type ServerScope, scopeFor } from '../../../decisions/scope.ts'
import { changeOwnTopic } from '../../../decisions/topics/change-user-topic.ts'
import { changeSettings } from '../../../decisions/users/update-settings.ts'
import type { SubscriptionSettings } from '../../../domain/entities.ts'
import type { Fact } from '../../../domain/events.ts'
import type { SubscriptionChange } from '../../../domain/events/subscriptions.ts'
import type { ChannelId, UserId } from '../../../domain/ids.ts'
import { USER_SETTINGS, type UserSettingChange } from '../../../domain/users/user-settings.ts'
import { fail } from '../../../errors/api-error.ts'
import { snakeCase } from '../../../views/snake-case.ts'
import { findReactionEmoji } from '../emoji-names.ts'
import { cutText, type Fields } from '../fields.ts'
import { parseForeignTopic } from '../topic-names.ts'
import type { ForeignOwn } from './records.ts'
import { readValidSettings } from './valid-settings.ts'

/** A thing of one kind. */
export type OwnOf<Kind extends ForeignOwn['kind']> = Extract<ForeignOwn, { readonly kind: Kind }>

const COLOR = /^#(?:[0-9a-f]{3}|[0-9a-f]{6})$/i
/** The subscription settings that may inherit; null does. */
const INHERITING = [
  'desktopNotifications',
  'audibleNotifications',
  'pushNotifications',
  'emailNotifications',
  'wildcardMentionsNotify',
] as const

/** Of people who have changed none here. The consent to exports was given to other administrators: it stays behind. */
export function settingFacts(scope: ServerScope, userId: UserId, { values }: OwnOf<'settings'>): Fact[] {
  const { state } = scope
  const isUntouched = Object.keys(state.userSettings.get(userId) ?? {}).length === 0
  if (!isUntouched && !state.awaitingLogin.has(userId)) return []
  const { allowPrivateDataExport: _, ...table } = USER_SETTINGS
  const changes = readValidSettings(table, values).map(([name, value]) => ({ name, value }))
  return changeSettings(scope, state.getUser(userId), changes as UserSettingChange[])
}

/** Of people who have none here. */
export function statusFacts(
  { state }: ServerScope,
  userId: UserId,
  { text: given, emoji: named }: OwnOf<'status'>,
): Fact[] {
  if (state.userStatuses.has(userId)) return []
  const text = cutText(given, STATUS_TEXT_LENGTH_MAX)
  const emoji = named && findReactionEmoji({ name: named.name, own: named }, state.emoji)
  const changes = { ...(text === '' ? {} : { text }), ...(emoji ? { emoji } : {}) }
  return Object.keys(changes).length === 0 ? [] : [{ type: 'user_status', userId, changes }]
}

/** Of channels in which they have changed none here. */
export function channelSettingFacts(
  scope: ServerScope,
  userId: UserId,
  { values }: OwnOf<'channel settings'>,
  channelId: ChannelId,
): Fact[] {
  const present = scope.state.getChannel(channelId).settings.get(userId) ?? {}
  if (Object.keys(present).length > 0) return []
  const changes = readSubscription(values).map((change) => ({ channelId, change }))
  return decideSubscriptionSettings(scopeFor(scope, userId), { changes }).events as Fact[]
}

function readSubscription(given: Fields): SubscriptionChange[] {
  const changes: SubscriptionChange[] = []
  const valueOf = (name: keyof SubscriptionSettings) => given[snakeCase(name)]
  const color = valueOf('color')
  if (typeof color === 'string' && COLOR.test(color)) changes.push({ property: 'color', value: color })
  for (const property of ['isMuted', 'isPinned'] as const) {
    const value = valueOf(property)
    if (typeof value === 'boolean') changes.push({ property, value })
  }
  for (const property of INHERITING) {
    const value = valueOf(property)
    if (typeof value === 'boolean' || value === null) changes.push({ property, value })
  }
  return changes
}

/** A topic for which they have no policy here; with the time of their choice. */
export function topicFacts(
  scope: ServerScope,
  userId: UserId,
  { topic: name, visibility, updatedAt }: OwnOf<'topic'>,
  channelId: ChannelId,
): Fact[] {
  const { state, now } = scope
  const topic = parseForeignTopic(name)
  const wanted = Object.values(TOPIC_VISIBILITIES).find((one) => one !== 0 && one === visibility)
  if (wanted === undefined || state.topicVisibility(userId, channelId, topic) !== 0) return []
  const caller = scopeFor(scope, userId)
  if (!state.findReadableChannel(caller.caller, channelId)) throw fail('CHANNEL_UNKNOWN')
  const request = { channelId, topic, visibility: wanted as TopicVisibility }
  return changeOwnTopic(caller, request).map((fact) => ({
    ...fact,
    userTopic: { ...fact.userTopic, updatedAt: Math.min(Math.floor(updatedAt ?? now), now) },
  }))
}
