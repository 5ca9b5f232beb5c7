/** Settings of the organization besides permissions. */

import type { ChannelId } from '../ids.ts'
import type { PictureSource } from '../files/pictures.ts'
import { PLAIN_SETTINGS_DEFAULTS } from '../settings/plain-settings.ts'

/** Every setting with its default. */
export const ORGANIZATION_SETTINGS_DEFAULTS = {
  /** Days until a new member counts as a full one. */
  waitingPeriodDays: 0,
  /** The meaning of `inherit` in a channel. */
  topicsPolicy: 'allow_empty_topic' as 'allow_empty_topic' | 'disable_empty_topic',
  /** Whether visitors without an account may read web-public channels. */
  hasSpectatorAccess: false,
  /** Days to keep messages in channels that inherit; -1 keeps them forever. */
  messageRetentionDays: -1,
  /** Whether changes of a channel send a message notice to a topic of that channel. */
  sendsChannelEvents: true,
  /** The channel that announces new public channels. */
  announcementsChannelId: null as ChannelId | null,
  /** Channel for reports of messages; it must be private. */
  moderationChannelId: null as ChannelId | null,
  /** Whether users may edit the content of messages. */
  allowsEditing: true,
  /** Seconds after sending in which the sender may edit the content; null for no limit. */
  contentEditLimitSeconds: 600 as number | null,
  /** Seconds after sending in which senders with the permission may delete their messages; null for no limit. */
  contentDeleteLimitSeconds: 600 as number | null,
  /** Seconds after sending in which users below moderator may move messages to another topic; null for no limit. */
  topicMoveLimitSeconds: 604_800 as number | null,
  /** Seconds after sending in which users below moderator may move messages to another channel; null for no limit. */
  channelMoveLimitSeconds: 604_800 as number | null,
  /** How much of the edit history clients see: all of it, only moves, or nothing. */
  editHistoryVisibility: 'all' as 'all' | 'moves' | 'none',
  /** Whether clients can see who has read a message. */
  hasReadReceipts: true,
  /** The source of the pictures of new users without one of their own; null until it is set: the server's own. */
  defaultPictureSource: null as PictureSource | null,
  /** Days that people have to set up a second factor; null if none is required. */
  secondFactorGraceDays: null as number | null,
  /** UNIX seconds: the time at which an owner required it; null if none is required. */
  secondFactorRequiredAt: null as number | null,
  /** Whether people who open an invitation link make their account at once, without a mail that confirms the address. */
  joinsWithoutConfirmation: false,
  ...PLAIN_SETTINGS_DEFAULTS,
}

export type OrganizationSettings = Readonly<typeof ORGANIZATION_SETTINGS_DEFAULTS>
