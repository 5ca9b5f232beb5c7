/** Decisions on notifications: a table of cases, and a walk against rules that are written down another way. */

import t from 'tap'
import {
  type ChannelNotifications,
  AWAY_AFTER_SECONDS,
  decideNotifications,
  findNotifyTime,
  NOTIFICATION_WAYS,
  type NotificationSettings,
  type NotificationTrigger,
  type NotificationWay,
  type NotifiedReader,
  type NotifyingMessage,
} from '../../packages/rules/notifications.ts'
import { makeRandom, type Random } from '../events/make-random.ts'

const all = (value: boolean) => ({ push: value, mail: value, desktop: value, sound: value })
const SETTINGS: NotificationSettings = {
  personal: all(true),
  followed: all(false),
  channels: all(false),
  hasWildcards: true,
  hasFollowedWildcards: true,
}
const CHANNEL: ChannelNotifications = {
  isMuted: false,
  wildcards: null,
  push: null,
  mail: null,
  desktop: null,
  sound: null,
}
const MESSAGE: NotifyingMessage = {
  isDirect: false,
  isOwn: false,
  isRead: false,
  isMentioned: false,
  isGroupMentioned: false,
  isForTopic: false,
  isForChannel: false,
  hasAlertWord: false,
}
const READER: NotifiedReader = {
  isActivePerson: true,
  settings: SETTINGS,
  channel: CHANNEL,
  topicVisibility: 0,
  hasMutedSender: false,
}
const [MUTED, UNMUTED, FOLLOWED] = [1, 2, 3]
const ofSettings = (settings: Partial<NotificationSettings>) => ({ settings: { ...SETTINGS, ...settings } })
const inChannel = (channel: Partial<ChannelNotifications>) => ({ channel: { ...CHANNEL, ...channel } })

type Case = [
  name: string,
  message: Partial<NotifyingMessage>,
  reader: Partial<NotifiedReader>,
  push: NotificationTrigger | null,
]
const direct = { isDirect: true }
const named = { isMentioned: true }
const CASES: readonly Case[] = [
  ['a direct message', direct, {}, 'direct_message'],
  ['one without a subscription', direct, { channel: undefined }, 'direct_message'],
  ['one that the user does not want', direct, ofSettings({ personal: all(false) }), null],
  ['one of a muted person', direct, { hasMutedSender: true }, null],
  ['the own one', { ...direct, isOwn: true }, {}, null],
  ['a read one', { ...direct, isRead: true }, {}, null],
  ['one to a bot or a deactivated user', direct, { isActivePerson: false }, null],
  ['a mention', named, {}, 'mention'],
  ['one through a group', { isGroupMentioned: true }, {}, 'group_mention'],
  ['one by both', { ...named, isGroupMentioned: true }, {}, 'mention'],
  ['one in a channel without a subscription', named, { channel: undefined }, null],
  ['one in a muted channel', named, inChannel({ isMuted: true }), 'mention'],
  ['one in a muted topic', named, { topicVisibility: MUTED }, 'mention'],
  ['one by a muted person', named, { hasMutedSender: true }, null],
  ['an alert word', { hasAlertWord: true }, {}, 'alert_word'],
  ['an alert word in a mention', { ...named, hasAlertWord: true }, {}, 'mention'],
  ['a wildcard for the channel', { isForChannel: true }, {}, 'channel_wildcard'],
  ['one for the topic', { isForTopic: true }, {}, 'topic_wildcard'],
  ['one for both', { isForTopic: true, isForChannel: true }, {}, 'topic_wildcard'],
  ['one that the user does not want', { isForChannel: true }, ofSettings({ hasWildcards: false }), null],
  ['one that the channel does not want', { isForChannel: true }, inChannel({ wildcards: false }), null],
  [
    'one that only the channel wants',
    { isForChannel: true },
    { ...ofSettings({ hasWildcards: false }), ...inChannel({ wildcards: true }) },
    'channel_wildcard',
  ],
  ['one in a muted channel', { isForChannel: true }, inChannel({ isMuted: true, wildcards: true }), null],
  [
    'one in an unmuted topic of it',
    { isForChannel: true },
    { ...inChannel({ isMuted: true }), topicVisibility: UNMUTED },
    'channel_wildcard',
  ],
  [
    'one in a followed topic',
    { isForTopic: true },
    { ...ofSettings({ hasWildcards: false }), topicVisibility: FOLLOWED },
    'topic_wildcard',
  ],
  [
    'one in a followed topic, which does not count',
    { isForTopic: true },
    { ...ofSettings({ hasWildcards: false, hasFollowedWildcards: false }), topicVisibility: FOLLOWED },
    null,
  ],
  ['another message', {}, {}, null],
  [
    'one in a followed topic',
    {},
    { ...ofSettings({ followed: all(true) }), topicVisibility: FOLLOWED },
    'followed_topic',
  ],
  ['one in an unmuted topic', {}, { ...ofSettings({ followed: all(true) }), topicVisibility: UNMUTED }, null],
  [
    'one in a followed topic of a muted channel',
    {},
    { ...ofSettings({ followed: all(true) }), ...inChannel({ isMuted: true }), topicVisibility: FOLLOWED },
    'followed_topic',
  ],
  ['one of any channel', {}, ofSettings({ channels: all(true) }), 'channel'],
  [
    'one of a channel that is off',
    {},
    { ...ofSettings({ channels: all(true) }), ...inChannel({ push: false }) },
    null,
  ],
  ['one of a channel that is on', {}, inChannel({ push: true }), 'channel'],
  ['one of a muted channel that is on', {}, inChannel({ push: true, isMuted: true }), null],
  ['one in a muted topic', {}, { ...inChannel({ push: true }), topicVisibility: MUTED }, null],
  [
    'an unmuted topic of a muted channel that is on',
    {},
    { ...inChannel({ push: true, isMuted: true }), topicVisibility: UNMUTED },
    'channel',
  ],
  [
    'a mention that is off, in a channel that is on',
    named,
    { ...ofSettings({ personal: all(false) }), ...inChannel({ push: true }) },
    'channel',
  ],
]

t.test(
  '[NOTIFY31] a message notifies by what it is, and by the settings of user, channel and topic',
  async (t) => {
    for (const [name, message, reader, push] of CASES)
      t.equal(decideNotifications({ ...MESSAGE, ...message }, { ...READER, ...reader }).push, push, name)
  },
)

t.test('[NOTIFY32] each way has its own switches, and silence leaves emails', async (t) => {
  for (const way of NOTIFICATION_WAYS) {
    const only = { ...all(false), [way]: true }
    const reader = { ...READER, ...ofSettings({ personal: only }) }
    const notified = decideNotifications({ ...MESSAGE, isDirect: true }, reader)
    t.same(
      NOTIFICATION_WAYS.filter((one) => notified[one] !== null),
      [way],
    )
  }
  const silent = decideNotifications({ ...MESSAGE, isMentioned: true }, { ...READER, isUndisturbed: true })
  t.strictSame(silent, { push: null, mail: 'mention', desktop: null, sound: null })
})

t.test(
  '[NOTIFY33] emails wait for absence and the end of silence, and pushes for absence if one wants that',
  async (t) => {
    const reader = { now: 1_000, activeAt: 0, wantsPushWhileActive: false, silentUntil: 0 }
    for (const way of ['mail', 'push'] as const) t.equal(findNotifyTime(way, reader), 1_000)
    const active = { ...reader, activeAt: 990 }
    t.equal(findNotifyTime('mail', active), 990 + AWAY_AFTER_SECONDS)
    t.equal(findNotifyTime('push', active), 990 + AWAY_AFTER_SECONDS)
    t.equal(findNotifyTime('push', { ...active, wantsPushWhileActive: true }), 1_000)
    t.equal(findNotifyTime('mail', { ...active, wantsPushWhileActive: true }), 990 + AWAY_AFTER_SECONDS)
    const silent = { ...active, silentUntil: 5_000 }
    t.equal(findNotifyTime('mail', silent), 5_000)
    t.equal(findNotifyTime('push', silent), 990 + AWAY_AFTER_SECONDS)
    t.equal(findNotifyTime('mail', { ...reader, activeAt: 1_000 - AWAY_AFTER_SECONDS + 1 }), 1_001)
    t.equal(findNotifyTime('mail', { ...reader, activeAt: 1_000 - AWAY_AFTER_SECONDS }), 1_000)
  },
)

/** The rules as a list of reasons with the settings that each needs, from the strongest to the weakest. */
function naive(message: NotifyingMessage, reader: NotifiedReader, way: NotificationWay) {
  const { settings, channel, topicVisibility: topic } = reader
  const isHidden = topic === 1 || (topic === 0 && channel?.isMuted === true)
  const wildcards =
    !isHidden &&
    ((topic === 3 && settings.hasFollowedWildcards) ||
      (channel?.wildcards === null ? settings.hasWildcards : channel?.wildcards))
  const reasons: [NotificationTrigger, boolean, boolean | undefined][] = [
    ['direct_message', message.isDirect, settings.personal[way]],
    ['mention', message.isMentioned, settings.personal[way]],
    ['group_mention', message.isGroupMentioned, settings.personal[way]],
    ['topic_wildcard', message.isForTopic && wildcards === true, settings.personal[way]],
    ['channel_wildcard', message.isForChannel && wildcards === true, settings.personal[way]],
    ['alert_word', message.hasAlertWord, settings.personal[way]],
    ['followed_topic', topic === 3, settings.followed[way]],
    ['channel', !isHidden, channel?.[way] === null ? settings.channels[way] : channel?.[way]],
  ]
  const blocks = [
    !reader.isActivePerson,
    message.isOwn,
    message.isRead,
    reader.hasMutedSender,
    reader.isUndisturbed === true && way !== 'mail',
    !message.isDirect && channel === undefined,
  ]
  if (blocks.includes(true)) return null
  const possible = message.isDirect ? reasons.slice(0, 1) : reasons.slice(1)
  return possible.find(([, holds, isOn]) => holds && isOn === true)?.[0] ?? null
}

const flip = (random: Random) => random.below(2) === 0
const switches = (random: Random) => ({
  push: flip(random),
  mail: flip(random),
  desktop: flip(random),
  sound: flip(random),
})

t.test(
  '[NOTIFY34] 20,000 random messages and readers are decided as by rules written down apart',
  async (t) => {
    const seed = Number(process.env['PARLEY_TEST_SEED'] ?? Date.now() % 1_000_000)
    t.comment(`PARLEY_TEST_SEED=${seed}`)
    const random = makeRandom(seed)
    const rare = () => random.below(8) === 0
    const some = () => random.pick([null, true, false])
    const seen = new Set<string | null>()
    for (let round = 0; round < 20_000; round++) {
      const message: NotifyingMessage = {
        isDirect: rare(),
        isOwn: rare(),
        isRead: rare(),
        isMentioned: rare(),
        isGroupMentioned: rare(),
        isForTopic: rare(),
        isForChannel: rare(),
        hasAlertWord: rare(),
      }
      const reader: NotifiedReader = {
        isActivePerson: !rare(),
        settings: {
          personal: switches(random),
          followed: switches(random),
          channels: switches(random),
          hasWildcards: flip(random),
          hasFollowedWildcards: flip(random),
        },
        channel: rare()
          ? undefined
          : {
              isMuted: flip(random),
              wildcards: some(),
              push: some(),
              mail: some(),
              desktop: some(),
              sound: some(),
            },
        topicVisibility: random.below(4),
        hasMutedSender: rare(),
        isUndisturbed: rare(),
      }
      const decided = decideNotifications(message, reader)
      for (const way of NOTIFICATION_WAYS) {
        seen.add(decided[way])
        if (decided[way] !== naive(message, reader, way)) {
          t.same(decided[way], naive(message, reader, way), JSON.stringify({ way, message, reader }))
          return
        }
      }
    }
    t.equal(seen.size, 9, 'every trigger came up, and none')
  },
)
