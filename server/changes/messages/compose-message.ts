/** Renders a text as a message: its HTML and its mentions. */

import { findParticipants } from '../../../db/unread/topic-mentions.ts'
import { SHARE_OF_SERVER } from '../../../workers/pool/render-budget.ts'
import type { RenderedMarkdown } from '../../../workers/pool/markdown/rendered-markdown.ts'
import type { SnapshotUpload, MentionSnapshot } from '../../../workers/pool/markdown/snapshot.ts'
import { findAlerted } from '../../domain/personal/alert-words.ts'
import type { User } from '../../domain/entities.ts'
import type { UploadId } from '../../domain/ids.ts'
import { isCallLink } from '../../domain/messages/call-links.ts'
import type { Audience, ComposedMessage } from '../../decisions/messages/composed-message.ts'
import type { Sending } from '../sending.ts'
import { showsPreviews } from './known-previews.ts'
import { gatherNoticeSnapshot, gatherSnapshot, type NoticeReaders } from './mention-snapshot.ts'

type Composed = ComposedMessage | Promise<ComposedMessage>

/** Renders a text with the names that its author may use: at once if it is short and needs no query. */
export function composeMessage(
  content: string,
  author: User,
  audience: Audience,
  services: Sending,
): Composed {
  const composing = () => composeNow(content, author, audience, services)
  return services.tracer ? services.tracer.within('prepare', composing) : composing()
}

function composeNow(content: string, author: User, audience: Audience, services: Sending): Composed {
  const alerted = () => findAlerted(content, services.state.alertIndex)
  const share = { userId: author.id, kind: 'send' } as const
  const previewed = ({ html, previewedUrls }: RenderedMarkdown) => {
    if (previewedUrls.length === 0) return NO_LINKS
    const channelId = audience.kind === 'channel' ? audience.channelId : null
    const isAll = showsPreviews(services.state, channelId)
    const urls = isAll ? previewedUrls : previewedUrls.filter(isCallLink)
    return urls.length > 0 ? { links: { urls, ownLength: html.length } } : NO_LINKS
  }
  const render = (snapshot: MentionSnapshot): Composed => {
    const rendered = services.renderMessage(content, snapshot, share)
    return rendered instanceof Promise
      ? rendered.then((later) => complete(later, snapshot))
      : complete(rendered, snapshot)
  }
  const complete = (rendered: RenderedMarkdown, { uploads }: MentionSnapshot): Composed => {
    const uploadIds = idsOfLinked(rendered, uploads)
    if (audience.kind === 'direct' || !rendered.wildcards.includes('topic'))
      return compose(rendered, {
        audience: audience.kind,
        participantIds: [],
        uploadIds,
        alerted: alerted(),
        ...previewed(rendered),
      })
    return findParticipants(services.sql, audience.channelId, audience.topic).then((userIds) => {
      const participantIds = [...userIds, author.id]
      return compose(rendered, {
        audience: audience.kind,
        participantIds,
        uploadIds,
        alerted: alerted(),
        ...previewed(rendered),
      })
    })
  }
  const snapshot = gatherSnapshot(content, author, services)
  return snapshot instanceof Promise ? snapshot.then(render) : render(snapshot)
}

/** Other results of the rendering. */
type Found = Pick<ComposedMessage, 'audience' | 'participantIds' | 'uploadIds' | 'alerted' | 'links'>

function compose(
  { html, mentionedUserIds, mentionedGroupIds, forbiddenGroupIds, wildcards }: RenderedMarkdown,
  { audience, participantIds, uploadIds, alerted, links }: Found,
): ComposedMessage {
  return {
    rendered: html,
    audience,
    userIds: mentionedUserIds,
    groupIds:
      forbiddenGroupIds.length === 0 ? mentionedGroupIds : [...mentionedGroupIds, ...forbiddenGroupIds],
    participantIds,
    isForAll: wildcards.includes('all'),
    uploadIds,
    alerted,
    ...(links ? { links } : NO_LINKS),
  }
}

const NO_LINKS: Pick<ComposedMessage, 'links'> = {}

const NO_UPLOADS: readonly UploadId[] = []

/** The uploads that a rendered text links. */
export function idsOfLinked(
  { attachmentPaths }: RenderedMarkdown,
  uploads: readonly SnapshotUpload[],
): readonly UploadId[] {
  if (uploads.length === 0 || attachmentPaths.length === 0) return NO_UPLOADS
  return uploads.filter(({ path }) => attachmentPaths.includes(path)).map(({ id }) => id)
}

/** The HTML of a notice of the server. It uses only names that all readers may know, and only silent mentions. */
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
