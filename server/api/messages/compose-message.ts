/** What a text becomes as a message: its HTML, and whom it mentions where it is sent. */

import { findParticipants } from '../../../db/topic-mentions.ts'
import { SHARE_OF_SERVER } from '../../../workers/pool/render-budget.ts'
import type { RenderedMarkdown } from '../../../workers/pool/markdown/rendered-markdown.ts'
import type { KnownUpload, MentionSnapshot } from '../../../workers/pool/markdown/snapshot.ts'
import { type Alerted, alertedNow, findAlerted } from '../../domain/alert-words.ts'
import type { User } from '../../domain/entities.ts'
import type { MessageSent } from '../../domain/events/messages.ts'
import type { ChannelId, GroupId, UploadId, UserId } from '../../domain/ids.ts'
import { MESSAGE_FLAGS, type Mention } from '../../domain/message-flags.ts'
import { UserSet } from '../../domain/user-set.ts'
import type { OrganizationState } from '../../state/organization-state.ts'
import { fail } from '../../errors/api-error.ts'
import type { Sending } from '../../changes/sending.ts'
import { gatherNoticeSnapshot, gatherSnapshot, type NoticeReaders } from './mention-snapshot.ts'

/** Those who may be mentioned by one word without the permission to do so: the API family's limit. */
const MENTIONED_TOGETHER_MAX = 15

/** Where a text is to be read. */
export type Audience =
  | { readonly kind: 'channel'; readonly channelId: ChannelId; readonly topic: string }
  | { readonly kind: 'direct'; readonly userIds: readonly UserId[] }

/** A text that is rendered, before it is decided who receives it. */
export interface ComposedMessage {
  readonly rendered: string
  readonly audience: Audience['kind']
  readonly userIds: readonly UserId[]
  /** Those the author may not mention, too: who may what is decided as of the commit. */
  readonly groupIds: readonly GroupId[]
  /** Those who take part in the topic, where it mentions them together. */
  readonly participantIds: readonly UserId[]
  readonly isForAll: boolean
  /** Files that it links and its author may read. */
  readonly uploadIds: readonly UploadId[]
  /** Whose alert words are in the text. */
  readonly alerted: Alerted
}

type Composed = ComposedMessage | Promise<ComposedMessage>

/** Renders a text with what its author may name: at once where it is short and needs no query. */
export function composeMessage(
  content: string,
  author: User,
  audience: Audience,
  services: Sending,
): Composed {
  const alerted = () => findAlerted(content, services.state.alertIndex)
  const share = { userId: author.id, kind: 'send' } as const
  const render = (snapshot: MentionSnapshot): Composed => {
    const rendered = services.renderMessage(content, snapshot, share)
    return rendered instanceof Promise
      ? rendered.then((later) => complete(later, snapshot))
      : complete(rendered, snapshot)
  }
  const complete = (rendered: RenderedMarkdown, { uploads }: MentionSnapshot): Composed => {
    const uploadIds = idsOfLinked(rendered, uploads)
    if (audience.kind === 'direct' || !rendered.wildcards.includes('topic'))
      return compose(rendered, audience, [], uploadIds, alerted())
    return findParticipants(services.sql, audience.channelId, audience.topic).then((userIds) =>
      compose(rendered, audience, [...userIds, author.id], uploadIds, alerted()),
    )
  }
  const snapshot = gatherSnapshot(content, author, services)
  return snapshot instanceof Promise ? snapshot.then(render) : render(snapshot)
}

function compose(
  { html, mentionedUserIds, mentionedGroupIds, forbiddenGroupIds, wildcards }: RenderedMarkdown,
  { kind }: Audience,
  participantIds: readonly UserId[],
  uploadIds: readonly UploadId[],
  alerted: Alerted,
): ComposedMessage {
  return {
    rendered: html,
    audience: kind,
    userIds: mentionedUserIds,
    groupIds:
      forbiddenGroupIds.length === 0 ? mentionedGroupIds : [...mentionedGroupIds, ...forbiddenGroupIds],
    participantIds,
    isForAll: wildcards.includes('all'),
    uploadIds,
    alerted,
  }
}

const NO_UPLOADS: readonly UploadId[] = []

function idsOfLinked(
  { attachmentPaths }: RenderedMarkdown,
  uploads: readonly KnownUpload[],
): readonly UploadId[] {
  if (uploads.length === 0 || attachmentPaths.length === 0) return NO_UPLOADS
  return uploads.filter(({ path }) => attachmentPaths.includes(path)).map(({ id }) => id)
}

/** What an event says of the files that a message links. */
export function linksOf({ uploadIds }: ComposedMessage): Pick<MessageSent, 'uploadIds'> {
  return uploadIds.length > 0 ? { uploadIds } : NO_LINKS
}

const NO_LINKS: Pick<MessageSent, 'uploadIds'> = {}

const NOBODY: Pick<MessageSent, 'mentions' | 'isForAll'> = {}

/**
 * Whom a message mentions or alerts of those who receive it, as of the state it is decided on; throws `GROUP_MENTION_FORBIDDEN`,
 * `CHANNEL_WILDCARD_FORBIDDEN` or `TOPIC_WILDCARD_FORBIDDEN` where its author may not. Whoever does not receive it is
 * named by it, but has no message that could be flagged.
 */
export function decideMentions(
  { audience, userIds, groupIds, participantIds, isForAll, alerted }: ComposedMessage,
  author: User,
  recipients: UserSet,
  state: OrganizationState,
): Pick<MessageSent, 'mentions' | 'isForAll'> {
  const alertedIds = alertedNow(alerted, state.alertIndex)
  if (!isForAll && userIds.length + groupIds.length + participantIds.length + alertedIds.length === 0)
    return NOBODY
  const { rights, permissions, groups } = state
  const named = [UserSet.of(userIds)]
  for (const id of groupIds) {
    const { group } = groups.get(id)
    if (group.isDeactivated) continue // Since it was rendered: now nobody is mentioned by it.
    if (!rights.holds(author, group.permissions.canMention))
      throw fail('GROUP_MENTION_FORBIDDEN', { name: group.name })
    named.push(groups.membersOf(id))
  }
  const mentioned = UserSet.unionOf(named).intersection(recipients)
  const participants = UserSet.of(participantIds).intersection(recipients)
  if (audience === 'channel' && !rights.holds(author, permissions.canMentionManyUsers)) {
    if (isForAll && recipients.countShared(rights.activeUsers) > MENTIONED_TOGETHER_MAX)
      throw fail('CHANNEL_WILDCARD_FORBIDDEN')
    if (participants.size > MENTIONED_TOGETHER_MAX) throw fail('TOPIC_WILDCARD_FORBIDDEN')
  }
  const alertedOnes = UserSet.of(alertedIds).intersection(recipients)
  const mentions = mentioned
    .union(participants)
    .union(alertedOnes)
    .toArray()
    .map((id): Mention => {
      const byName = mentioned.has(id) ? MESSAGE_FLAGS.mentioned : 0
      const byTopic = participants.has(id) ? MESSAGE_FLAGS.topic_wildcard_mentioned : 0
      return [id, byName | byTopic | (alertedOnes.has(id) ? MESSAGE_FLAGS.has_alert_word : 0)]
    })
  return { ...(mentions.length > 0 ? { mentions } : {}), ...(isForAll ? { isForAll } : {}) }
}

/** The HTML of a notice of the server with the names that all of its readers may know; it mentions nobody loudly. */
export function renderNotice(
  content: string,
  readers: NoticeReaders,
  services: Sending,
): string | Promise<string> {
  const render = (snapshot: MentionSnapshot): string | Promise<string> => {
    const rendered = services.renderMessage(content, snapshot, SHARE_OF_SERVER)
    return rendered instanceof Promise ? rendered.then(({ html }) => html) : rendered.html
  }
  const snapshot = gatherNoticeSnapshot(content, readers, services)
  return snapshot instanceof Promise ? snapshot.then(render) : render(snapshot)
}
