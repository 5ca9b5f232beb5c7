/** Composes the mail about messages of a conversation that its reader has not seen by now. */

import { createHmac } from 'node:crypto'
import { topicDisplayName, topicKey } from '../../../packages/rules/topics.ts'
import { readAddressSecret } from '../../../db/accounts/signing-secrets.ts'
import type { ClaimedMail } from '../../../db/mail/mails.ts'
import { readMessagesBefore } from '../../../db/messages/message-pages.ts'
import { NO_FILTER, type MessageFilter } from '../../../db/messages/message-filter.ts'
import { makeReplyAddress } from '../../../server/changes/mail-in/mail-addresses.ts'
import { findWanted } from '../../../server/changes/notifications/find-wanted.ts'
import { stopMessageMailsUrl } from '../../../server/changes/users/stop-mails.ts'
import { readerOf } from '../../../server/decisions/messages/message-access.ts'
import type { Destination, Message, User } from '../../../server/domain/entities.ts'
import { encodeFragment } from '../../../server/domain/text/encode-fragment.ts'
import { isActivePerson } from '../../../server/domain/users/user-access.ts'
import type { OrganizationState } from '../../../server/state/organization-state.ts'
import { type ServerTexts, textsIn } from '../../../server/texts/texts.ts'
import type { ComposedMail, MailContext } from './composed-mail.ts'
import { type MailedMessage, type MailThread, renderMail } from './mail-layout.ts'
import { mailMarkup } from './mail-markup.ts'
import { plainName } from './plain-name.ts'
import { messagesMail } from './templates/messages.ts'

/** Messages in a mail: more are read in the client. */
const SHOWN_MAX = 30
/** Messages before the first one, which explain it. */
const CONTEXT_MAX = 3
/** Characters of the name of a topic in a subject. */
const TITLE_LENGTH_MAX = 100
/** The policy that names the organization in each subject. A reader has one account here, so `automatic` does not. */
const ALWAYS_NAMED = 2

/** Nothing if the reader has read everything, may not read it any more, or no longer wants it. */
export async function composeMessages(
  { sql, publicUrl, openSender, mailInPattern }: MailContext,
  { userId, details }: ClaimedMail,
): Promise<ComposedMail | undefined> {
  if (userId === null || !details || !('messageIds' in details)) return undefined
  const sender = await openSender()
  await sender.catchUp()
  const { services } = sender
  const { state } = services
  const user = state.users.get(userId)
  if (!user || !isActivePerson(user)) return undefined
  const wanted = await findWanted(services, user, 'mail', details.messageIds)
  const last = wanted.at(-1)
  if (!last) return undefined
  const settings = state.settingsOf(userId)
  const isShown =
    settings.messageContentInEmailNotifications &&
    !settings.hidesNotificationText &&
    state.settings.messageContentAllowedInEmailNotifications
  const texts = textsIn(settings.defaultLanguage, state.settings.defaultLanguage)
  const secret = await readAddressSecret(sql)
  const organization = plainName(state.organization?.name ?? '')
  const messages = isShown ? await readShown(services, user, wanted) : []
  const shownIds = new Set(messages.map(({ id }) => id))
  const content = messagesMail(texts, {
    organization,
    namesOrganization: settings.realmNameInEmailNotificationsPolicy === ALWAYS_NAMED,
    shown: isShown
      ? {
          title: titleOf(state, user, last.destination, texts),
          messages: viewMessages(state, user, { texts, messages, wanted, publicUrl }),
        }
      : undefined,
    count: wanted.length,
    earlierCount: isShown ? wanted.filter(({ id }) => !shownIds.has(id)).length : 0,
    url: isShown ? `${publicUrl}${pathOf(last)}` : `${publicUrl}/`,
    isAnswerable: isShown && mailInPattern !== undefined,
    stopUrl: stopMessageMailsUrl(publicUrl, secret, user),
  })
  // Without its text nobody sees what they would answer.
  const replyTo =
    isShown && mailInPattern
      ? await makeReplyAddress(sql, mailInPattern, { userId, email: user.email, messageId: last.id })
      : undefined
  return {
    to: user.email,
    replyTo,
    ...renderMail(content),
    thread: threadOf(state, user, { texts, secret, isShown, place: last.destination }),
  }
}

/** The last messages of the conversation, from some before the first wanted one. */
async function readShown(
  services: Parameters<typeof findWanted>[0],
  user: User,
  wanted: readonly Message[],
): Promise<readonly Message[]> {
  const { sql, state } = services
  const [first, last] = [wanted[0], wanted.at(-1)] as [Message, Message]
  const query = { reader: readerOf({ state, caller: user }), filter: filterOf(last.destination) }
  const { messages } = await readMessagesBefore(sql, query, last.id, SHOWN_MAX)
  const unmuted = messages
    .filter(({ senderId }) => !state.mutes.mutersOf.get(senderId)?.has(user.id))
    .reverse()
  const start = unmuted.findIndex(({ id }) => id >= first.id)
  return unmuted.slice(Math.max(0, start - CONTEXT_MAX))
}

function filterOf(destination: Destination): MessageFilter {
  if (destination.kind === 'direct') return { ...NO_FILTER, conversationId: destination.conversationId }
  return { ...NO_FILTER, channelId: destination.channelId, topic: destination.topic }
}

function viewMessages(
  state: OrganizationState,
  user: User,
  {
    texts,
    messages,
    wanted,
    publicUrl,
  }: {
    readonly texts: ServerTexts
    readonly messages: readonly Message[]
    readonly wanted: readonly Message[]
    readonly publicUrl: string
  },
): MailedMessage[] {
  const wantedIds = new Set(wanted.map(({ id }) => id))
  const { twentyFourHourTime } = state.settingsOf(user.id)
  const { t, locale } = texts
  const format = new Intl.DateTimeFormat(locale, {
    weekday: 'short',
    hour: 'numeric',
    minute: '2-digit',
    hourCycle: twentyFourHourTime ? 'h23' : 'h12',
    timeZone: user.timezone || 'UTC',
    timeZoneName: 'short',
  })
  return messages.map(({ id, senderId, sentAt, rendered }) => ({
    sender: senderId === user.id ? t('You') : nameOf(state, user, senderId, texts),
    time: format.format(sentAt * 1000),
    content: mailMarkup(rendered, publicUrl, texts),
    isContext: !wantedIds.has(id),
  }))
}

/** The title of a conversation, for a subject. */
function titleOf(state: OrganizationState, user: User, destination: Destination, texts: ServerTexts): string {
  const { t, locale } = texts
  if (destination.kind === 'channel') {
    const { name } = state.getChannel(destination.channelId).channel
    return oneLine(`#${name} › ${topicDisplayName(destination.topic)}`)
  }
  const others = destination.userIds
    .filter((id) => id !== user.id)
    .map((id) => nameOf(state, user, id, texts))
  const more = t('{count, plural, one {# other} other {# others}}', { count: others.length - 2 })
  const shown = others.length > 3 ? [...others.slice(0, 2), more] : others
  return oneLine(t('Direct messages with {people}', { people: new Intl.ListFormat(locale).format(shown) }))
}

const oneLine = (text: string) =>
  Array.from(text.replaceAll(/[\p{C}\p{Zl}\p{Zp}\s]+/gu, ' '))
    .slice(0, TITLE_LENGTH_MAX)
    .join('')
    .trim()

/** Readers see the names of users whom they know. */
function nameOf(state: OrganizationState, reader: User, id: User['id'], { t }: ServerTexts): string {
  return plainName(state.findVisibleUser(reader, id)?.fullName ?? t('Unknown user'))
}

function pathOf({ id, destination }: Message): string {
  if (destination.kind === 'direct') return `/#narrow/dm/${destination.userIds.join(',')}/near/${id}`
  const { channelId, topic } = destination
  const place = topic === '' ? 'topic' : `topic/${encodeFragment(topic)}`
  return `/#narrow/channel/${channelId}/${place}/near/${id}`
}

/** A hidden conversation has no name of its own, and its key says nothing. */
function threadOf(
  state: OrganizationState,
  { id }: User,
  {
    texts: { t },
    secret,
    isShown,
    place,
  }: {
    readonly texts: ServerTexts
    readonly secret: Uint8Array
    readonly isShown: boolean
    readonly place: Destination
  },
): MailThread {
  const conversation =
    place.kind === 'direct' ? `direct ${place.conversationId}` : `${place.channelId} ${topicKey(place.topic)}`
  const key = createHmac('sha256', secret).update(`thread ${id} ${conversation}`).digest('hex').slice(0, 32)
  if (!isShown) return { key, list: { id: 'messages', name: t('Messages') } }
  if (place.kind === 'direct') return { key, list: { id: 'direct', name: t('Direct messages') } }
  const { name } = state.getChannel(place.channelId).channel
  return { key, list: { id: `channel-${place.channelId}`, name: plainName(name) } }
}
