/** What the organization's administrators set besides permissions. */

import type { ChannelId } from './ids.ts'
import { PLAIN_SETTINGS_DEFAULTS } from './plain-settings.ts'

/** Every setting with its default. */
export const ORGANIZATION_SETTINGS_DEFAULTS = {
  /** Days until a new member counts as a full one. */
  waitingPeriodDays: 0,
  /** What `inherit` means in a channel. */
  topicsPolicy: 'allow_empty_topic' as 'allow_empty_topic' | 'disable_empty_topic',
  /** Whether visitors without an account may read web-public channels. */
  hasSpectatorAccess: false,
  /** Days messages are kept in channels that inherit; -1 keeps forever. */
  messageRetentionDays: -1,
  /** Whether what happens to a channel is told in a topic of its own there. */
  sendsChannelEvents: true,
  /** Where new public channels are announced. */
  announcementsChannelId: null as ChannelId | null,
  /** Where reports of messages go; it must be private. */
  moderationChannelId: null as ChannelId | null,
  /** Whether the content of messages may be changed at all. */
  allowsEditing: true,
  /** Seconds after its sending in which a message's content may be changed by its sender; null for ever. */
  contentEditLimitSeconds: 600 as number | null,
  /** Seconds in which senders may delete their messages, where they may; null for ever. */
  contentDeleteLimitSeconds: 600 as number | null,
  /** Seconds in which messages may be moved to another topic by those who are no moderators; null for ever. */
  topicMoveLimitSeconds: 604_800 as number | null,
  /** The same to another channel. */
  channelMoveLimitSeconds: 604_800 as number | null,
  /** What of edits is told: all, only how messages were moved, or nothing. */
  editHistoryVisibility: 'all' as 'all' | 'moves' | 'none',
  /** Whether anybody is told who has read a message. */
  hasReadReceipts: true,
  ...PLAIN_SETTINGS_DEFAULTS,
}

export type OrganizationSettings = Readonly<typeof ORGANIZATION_SETTINGS_DEFAULTS>
