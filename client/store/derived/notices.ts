/** Which messages notify, and how many the title counts, by the user's own settings. */

import type { Message, OwnSettings } from '../../../packages/client/src/wire-types.ts'
import type { State } from '../apply.ts'
import { channelsById } from './channels.ts'
import { mutedPeople } from './muted-people.ts'
import { isTopicMuted, unreadOf, visibilityOf } from './unread.ts'

/** A notification on the desktop, and a sound. */
export interface Notice {
  readonly hasDesktop: boolean
  readonly hasSound: boolean
}

const NONE: Notice = { hasDesktop: false, hasSound: false }
const WILDCARDS = ['wildcard_mentioned', 'stream_wildcard_mentioned', 'topic_wildcard_mentioned']

/** The fields that decide. */
export type NoticedMessage = Pick<Message, 'sender_id' | 'type' | 'stream_id' | 'subject'>

export function noticeOf(state: State, message: NoticedMessage, flags: readonly string[]): Notice {
  const { user_settings: settings } = state
  const isMuted = mutedPeople(state).has(message.sender_id)
  if (!settings || message.sender_id === state.user_id || flags.includes('read') || isMuted) return NONE
  const personal: Notice = {
    hasDesktop: settings.enable_desktop_notifications,
    hasSound: settings.enable_sounds,
  }
  const { stream_id: channelId, subject: topic } = message
  if (channelId === undefined) return personal
  const others = channelNotice(state, settings, { channelId, topic, flags })
  const isPersonal = flags.includes('mentioned') || flags.includes('has_alert_word')
  const isForAll = flags.some((flag) => WILDCARDS.includes(flag))
  return isPersonal || (isForAll && mayMentionAll(state, settings, { channelId, topic }))
    ? join(personal, others)
    : others
}

interface Place {
  readonly channelId: number
  readonly topic: string
}

function channelNotice(state: State, settings: OwnSettings, place: Place & { flags: readonly string[] }) {
  const { channelId, topic } = place
  if (isTopicMuted(state, channelId, topic)) return NONE
  const subscription = channelsById(state).get(channelId)?.subscription
  const ofChannel: Notice = {
    hasDesktop: subscription?.desktop_notifications ?? settings.enable_stream_desktop_notifications,
    hasSound: subscription?.audible_notifications ?? settings.enable_stream_audible_notifications,
  }
  if (visibilityOf(state, channelId, topic) !== 'followed') return ofChannel
  return join(ofChannel, {
    hasDesktop: settings.enable_followed_topic_desktop_notifications,
    hasSound: settings.enable_followed_topic_audible_notifications,
  })
}

/** Whether mentions of everyone notify there. */
function mayMentionAll(state: State, settings: OwnSettings, { channelId, topic }: Place): boolean {
  if (isTopicMuted(state, channelId, topic)) return false
  const isFollowed = visibilityOf(state, channelId, topic) === 'followed'
  if (isFollowed && settings.enable_followed_topic_wildcard_mentions_notify) return true
  const subscription = channelsById(state).get(channelId)?.subscription
  return subscription?.wildcard_mentions_notify ?? settings.wildcard_mentions_notify
}

function join(one: Notice, other: Notice): Notice {
  return {
    hasDesktop: one.hasDesktop || other.hasDesktop,
    hasSound: one.hasSound || other.hasSound,
  }
}

/** The number in the title and on the icon. */
export function badgeCount(state: State): number {
  const { unread_msgs: unread, user_settings: settings } = state
  const counted = settings?.desktop_icon_count_display ?? 1
  if (counted === 1) return unreadOf(state).total
  if (counted === 4 || !unread) return 0
  const ids = new Set(unread.mentions)
  for (const { unread_message_ids } of [...unread.pms, ...unread.huddles])
    for (const id of unread_message_ids) ids.add(id)
  if (counted === 2) {
    for (const { stream_id, topic, unread_message_ids } of unread.streams) {
      if (visibilityOf(state, stream_id, topic) !== 'followed') continue
      for (const id of unread_message_ids) ids.add(id)
    }
  }
  return ids.size
}
