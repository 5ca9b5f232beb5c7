/** Collects the names that a text may use from the state in memory, limited to those that its author may know. */

import { derived } from '../../domain/messages/derived.ts'
import type { ShownUpload } from '../../../db/files/message-uploads.ts'
import { findNewestOfTopics, type TopicToLink } from '../../../db/unread/topic-mentions.ts'
import { EXTRA_EMOJI } from '../../../workers/pool/markdown/emoji.ts'
import { findMentionCandidates } from '../../../workers/pool/markdown/find-mention-candidates.ts'
import {
  type SnapshotUpload,
  type LinkableTopic,
  type MentionSnapshot,
  EMPTY_SNAPSHOT,
} from '../../../workers/pool/markdown/snapshot.ts'
import { canSeeChannel, readableHistory } from '../../../packages/rules/channels.ts'
import type { User } from '../../domain/entities.ts'
import { foldCase } from '../../../packages/rules/fold-case.ts'
import type { ChannelId, UserId } from '../../domain/ids.ts'
import { emojiPath } from '../../domain/files/pictures.ts'
import { UPLOADS_BASE, uploadUrl } from '../../domain/files/uploads.ts'
import { UserSet } from '../../domain/users/user-set.ts'
import type { ChannelState } from '../../state/channel-state.ts'
import type { OrganizationState } from '../../state/organization-state.ts'
import { EXTRA_EMOJI_NAME } from '../../views/names.ts'
import type { Sending } from '../sending.ts'
import { findReadableUploads } from '../uploads/upload-access.ts'
import { findNamedChannels, findNamedGroups, findNamedUsers, type Speaker } from './find-named.ts'

/** Uploads that one text can show, each looked up by its path. No message has room for so many. */
const UPLOADS_MAX = 100
/** Linked topics that one text can have, each looked up in an index. */
const TOPICS_MAX = 100

/** A text without a match names nothing: one quick test covers most texts. */
const MAY_NAME = /@_?\*|#\*\*/

/** The names for a user's text; at once, unless it links to topics or uploads. */
export function gatherSnapshot(
  text: string,
  author: User,
  services: Sending,
): MentionSnapshot | Promise<MentionSnapshot> {
  const snapshot = gatherNames(text, author, services)
  return text.includes(UPLOADS_BASE) ? addUploads(text, snapshot, author, services) : snapshot
}

/** The same with linked files that the author may read. */
async function addUploads(
  text: string,
  snapshot: MentionSnapshot | Promise<MentionSnapshot>,
  author: User,
  services: Sending,
): Promise<MentionSnapshot> {
  const paths = findMentionCandidates(text)
    .uploadPaths.slice(0, UPLOADS_MAX)
    .map((path) => path.slice(UPLOADS_BASE.length))
  const gathered = await snapshot
  const found = paths.length === 0 ? [] : await findReadableUploads(paths, author, services)
  return { ...gathered, uploads: found.map(toKnownUpload) }
}

/** A picture without a thumbnail is shown as a file, since its size in memory is unknown. */
function toKnownUpload(upload: ShownUpload): SnapshotUpload {
  const { id, path, contentType, width, height, isAnimated, hasThumbnail } = upload
  const image = { width, height, isAnimated, isThumbnailed: true, transcodedName: null }
  return { id, path: uploadUrl(path), contentType, image: hasThumbnail ? image : null }
}

function gatherNames(
  text: string,
  author: User,
  services: Sending,
): MentionSnapshot | Promise<MentionSnapshot> {
  const { state } = services
  const { translatesEmoticons } = state.settingsOf(author.id)
  if (!MAY_NAME.test(text)) return withCustomEmoji(text, plainSnapshot(services, translatesEmoticons), state)
  return gather(text, services, {
    isTranslatingEmoticons: translatesEmoticons,
    knowsChannel: (channel) => canSeeChannel(author, channel, state.rights),
    knowsUser: (id) => state.userVisibility.knows(author.id, id),
    historyOf: (channel) => readableHistory(author, channel, state.rights),
    userId: author.id,
    standingOf({ isDeactivated, permissions }) {
      if (isDeactivated) return 'deactivated'
      return state.rights.holds(author, permissions.canMention) ? 'mentionable' : 'forbidden'
    },
  })
}

/** The readers of a notice: the subscribers of a channel, or some users. */
export type NoticeReaders =
  | { readonly kind: 'channel'; readonly channelId: ChannelId }
  | { readonly kind: 'direct'; readonly userIds: readonly UserId[] }

/**
 * The names for a notice of the server. It may quote a user's text, so a channel that a present or later reader may
 * not know looks absent; groups are only mentioned silently.
 */
export function gatherNoticeSnapshot(
  text: string,
  readers: NoticeReaders,
  services: Sending,
): MentionSnapshot | Promise<MentionSnapshot> {
  const { state } = services
  if (!MAY_NAME.test(text)) return withCustomEmoji(text, plainSnapshot(services, false), state)
  const isInChannel = readers.kind === 'channel'
  // Users with access to the channel can read it without a subscription, and may subscribe.
  const users = isInChannel
    ? state.readersOf(state.getChannel(readers.channelId))
    : UserSet.of(readers.userIds).intersection(state.rights.activeUsers)
  // Every later reader may know channels that are not private.
  const knowsChannel = (channel: ChannelState) =>
    (isInChannel && (channel.channel.id === readers.channelId || !channel.channel.isPrivate)) ||
    users.difference(state.observersOf(channel)).size === 0
  return gather(text, services, {
    isTranslatingEmoticons: false,
    knowsChannel,
    knowsUser: () => true, // It names its subjects.
    historyOf: (channel) => (channel.channel.isHistoryPublic ? 'all' : 'none'),
    userId: 0 as UserId,
    standingOf: () => 'deactivated',
  })
}

/** The data that every text may use, for each choice of the sender, and its sources. */
interface PlainSnapshots {
  readonly parts: readonly unknown[]
  readonly plain: MentionSnapshot
  readonly withEmoticons: MentionSnapshot
}
const lastSnapshots = derived<Sending, { made?: PlainSnapshots }>(() => ({}))

/** The snapshot of texts without names; the same object until the organization changes. */
function plainSnapshot(services: Sending, isTranslatingEmoticons: boolean): MentionSnapshot {
  const { publicUrl, state } = services
  // The server learns its address once it listens.
  const parts = [publicUrl, state.organization, state.linkifiers]
  const last = lastSnapshots(services)
  let known = last.made
  if (!known || parts.some((part, index) => part !== known?.parts[index])) {
    const plain = makePlainSnapshot(services)
    known = { parts, plain, withEmoticons: { ...plain, isTranslatingEmoticons: true } }
    last.made = known
  }
  return isTranslatingEmoticons ? known.withEmoticons : known.plain
}

function makePlainSnapshot({ publicUrl, state }: Sending): MentionSnapshot {
  const { defaultCodeBlockLanguage, inlineImagePreview } = state.settings
  return {
    ...EMPTY_SNAPSHOT,
    realmUrl: publicUrl,
    // The extra emoji has one name in the dialect and another one for clients.
    emoji: [{ name: EXTRA_EMOJI_NAME, sourceUrl: EXTRA_EMOJI.sourceUrl }],
    // A worker thread gets only the linkifiers that it needs.
    linkifiers: state.linkifiers.entries.map(({ pattern, urlTemplate }) => ({ pattern, urlTemplate })),
    previewedImages: inlineImagePreview ? EMPTY_SNAPSHOT.previewedImages : 'none',
    defaultCodeLanguage: defaultCodeBlockLanguage,
  }
}

function gather(
  text: string,
  services: Sending,
  speaker: Speaker,
): MentionSnapshot | Promise<MentionSnapshot> {
  const { state, sql } = services
  const { userNames, userIds, groupNames, channelNames, topics } = findMentionCandidates(text)
  const found = findNamedChannels(channelNames, state, speaker)
  const snapshot: MentionSnapshot = {
    ...withCustomEmoji(text, plainSnapshot(services, speaker.isTranslatingEmoticons), state),
    users: findNamedUsers(userNames, userIds, state, speaker),
    groups: findNamedGroups(groupNames, state, speaker),
    channels: [...found.values()].map(({ channel: { id, name } }) => ({ id, name })),
  }
  const wanted: TopicToLink[] = []
  for (const { channelName, topic } of topics.slice(0, TOPICS_MAX)) {
    const channel = found.get(foldCase(channelName))
    const history = channel ? speaker.historyOf(channel) : 'none'
    if (channel && history !== 'none')
      wanted.push({ channelId: channel.channel.id, topic, isHistoryOpen: history === 'all' })
  }
  if (wanted.length === 0) return snapshot
  return findNewestOfTopics(sql, speaker.userId, wanted, state.appliedId).then((newestIds) => ({
    ...snapshot,
    topics: wanted.flatMap(({ channelId, topic }, index): LinkableTopic[] => {
      const newestMessageId = newestIds[index]
      return newestMessageId === undefined ? [] : [{ channelId, topic, newestMessageId }]
    }),
  }))
}

/** Adds the organization's own active emoji that a text names; they take precedence over all others. */
function withCustomEmoji(
  text: string,
  snapshot: MentionSnapshot,
  { emoji }: OrganizationState,
): MentionSnapshot {
  if (emoji.length === 0 || !text.includes(':')) return snapshot
  const names = new Set(findMentionCandidates(text).emojiNames)
  const named = emoji.filter(({ name, isDeactivated }) => !isDeactivated && names.has(name))
  if (named.length === 0) return snapshot
  const own = named.map(({ name, pictureId, isAnimated }) => ({
    name,
    sourceUrl: emojiPath(pictureId, isAnimated),
  }))
  return { ...snapshot, emoji: [...own, ...snapshot.emoji] }
}
