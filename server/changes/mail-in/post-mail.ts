/** Makes messages of mails: by the rights at that moment, and each once however often it is tried. */

import { MESSAGE_LENGTH_MAX } from '../../../packages/rules/limits.ts'
import { hasTopic } from '../../../db/messages/topics.ts'
import type { ReplyToken } from '../../../db/mail/reply-tokens.ts'
import { needsKnownTopic } from '../../decisions/messages/channel-target.ts'
import { type ChannelSendRequest, decideChannelMessage } from '../../decisions/messages/decide-send.ts'
import { nowSeconds } from '../../domain/clock.ts'
import type { User } from '../../domain/entities.ts'
import type { MessageId } from '../../domain/ids.ts'
import { topicOfSubject } from '../../domain/messages/mail-subjects.ts'
import { findOpening } from '../../domain/messages/widgets.ts'
import { isActivePerson } from '../../domain/users/user-access.ts'
import { topicRule } from '../../../packages/rules/messages.ts'
import { fail } from '../../errors/api-error.ts'
import type { Scope } from '../../decisions/scope.ts'
import type { ErrorName } from '../../errors/api-error.ts'
import { commitMessage } from '../messages/commit-message.ts'
import { composeMessage } from '../messages/compose-message.ts'
import { findMessage } from '../messages/find-message.ts'
import { getSystemBot } from '../messages/send-notice.ts'
import { sendToChannel, sendToPeople } from '../messages/send-message.ts'
import type { Sending } from '../sending.ts'
import type { Filing } from '../uploads/uploads.ts'
import type { ChannelAddress } from './mail-addresses.ts'
import { textId } from '../../../packages/texts/texts.ts'
import { MailRefusal } from './mail-refusal.ts'
import { findActing, findChannelFor, OWN_BOT } from './mail-sender.ts'
import { type MailFile, storeMailFiles } from './store-mail-files.ts'

/** Marks the sends of mails: a mail that is tried again sends the same mark. */
const QUEUE = 'mail-in'
const CLIENT = 'Email'

/** The services for messages with files. */
export type MailServices = Sending & Filing

/** A mail, as its sender wrote it. */
export interface PostedMail {
  /** The row of the mail: random, and nobody learns it. */
  readonly id: string
  /** The address of the `From` line, in lower case. It proves nothing. */
  readonly from: string
  /** A plain name, perhaps empty. */
  readonly fromName: string
  readonly subject: string
  readonly text: string
  readonly files: readonly MailFile[]
  /** Files that are not here, since there were too many. */
  readonly leftOutCount: number
}

/** Posts an answer as the user of its token; throws a `MailRefusal` or an error of a send. */
export async function postReply(
  services: MailServices,
  { userId, email, messageId }: ReplyToken,
  mail: PostedMail,
): Promise<MessageId> {
  const { state } = services
  const user = state.users.get(userId)
  if (!user || !isActivePerson(user) || user.email !== email) throw new MailRefusal(GONE)
  if (mail.from !== user.email.toLowerCase())
    throw new MailRefusal(textId('It did not come from the address of your account.'))
  const found = await findMessage(messageId, user, services)
  if (!found) throw new MailRefusal(GONE)
  const content = await writeContent(services, user, mail, '')
  if (Array.from(content).length > MESSAGE_LENGTH_MAX)
    throw new MailRefusal(textId('It is longer than {count} characters.'), { count: MESSAGE_LENGTH_MAX })
  const draft = draftOf(services, user, { content, mail })
  const sender = { state, caller: state.getUser(userId), fail }
  const { destination } = found.message
  if (destination.kind === 'direct') return sendToPeople(services, sender, { draft, to: destination.userIds })
  const { channelId, topic } = destination
  return (await sendToChannel(services, sender, { draft, to: [channelId], topic })).id
}

/** Posts a mail to a channel, under its subject; throws a `MailRefusal` or an error of a send. */
export async function postToChannel(
  services: MailServices,
  address: ChannelAddress,
  mail: PostedMail,
): Promise<MessageId> {
  const { state, sql, channels } = services
  const { channelId, creatorId, senderId } = address
  const acting = findActing(state, address)
  const channel = acting && findChannelFor(state, acting, address)
  if (!channel)
    throw new MailRefusal(textId('The channel no longer exists, or you can no longer post in it.'))
  if (senderId === creatorId && mail.from !== acting.email.toLowerCase())
    throw new MailRefusal(
      textId('It did not come from the address of your account, in whose name it would be posted.'),
    )
  const author = senderId === OWN_BOT ? await getSystemBot(services) : acting
  const head = senderId === OWN_BOT ? `**From:** ${senderOf(mail)}\n\n` : ''
  const written = await writeContent(services, acting, mail, head)
  const content = shorten(senderId === OWN_BOT ? withoutMentions(written) : written)
  const topic = topicRule(channel.channel, state) === 'none' ? '' : topicOfSubject(mail.subject)
  const isKnown =
    needsKnownTopic({ state, caller: acting }, channel) && (await hasTopic(sql, channelId, topic))
  const compose = () => composeMessage(content, acting, { kind: 'channel', channelId, topic }, services)
  const decide = (scope: Scope<ErrorName>, request: ChannelSendRequest) =>
    decideChannelMessage({ ...scope, caller: scope.state.getUser(acting.id) }, request)
  const draft = draftOf(services, author, { content, mail })
  const { id } = await channels
    .orderOf(channelId)
    .send(author.id, compose(), (composed) =>
      commitMessage(services, decide, { draft, composed, channelId, topic, isKnown }, compose),
    )
  return id
}

const GONE = textId('The conversation no longer exists, or you can no longer read it.')

/** The text, with links to the files, which are stored for the user. */
async function writeContent(services: MailServices, user: User, mail: PostedMail, head: string) {
  const text = mail.text.trim()
  if (text === '' && mail.files.length === 0)
    throw new MailRefusal(textId('It has no text of its own, and no file.'))
  const links = await storeMailFiles(services, user, mail.id, mail.files)
  const leftOut = mail.leftOutCount === 0 ? [] : [`(${mail.leftOutCount} more files were left out)`]
  return `${head}${[text, [...links, ...leftOut].join('\n')].filter((part) => part !== '').join('\n\n')}`
}

function draftOf(
  { clock }: MailServices,
  author: User,
  { content, mail }: { readonly content: string; readonly mail: PostedMail },
) {
  const submessage = author.botType === null ? findOpening(content) : undefined
  return {
    senderId: author.id,
    content,
    ...(submessage === undefined ? {} : { submessage }),
    sentAt: nowSeconds(clock),
    client: CLIENT,
    readById: author.botType === null ? author.id : null,
    queueId: QUEUE,
    localId: mail.id,
  }
}

/** The name and address that the writer of a mail gave. */
function senderOf({ from, fromName }: PostedMail): string {
  const name = fromName.replaceAll(/[\\`*_~[\]|#$]/g, '').trim()
  const address = `\`${from.replaceAll(/[`\s]/g, '') || 'unknown'}\``
  return name === '' ? address : `${name} (${address})`
}

/** Strangers notify nobody: their mentions are silent ones. */
function withoutMentions(content: string): string {
  return content.replaceAll(/@(?=\*)/g, '@_')
}

/** A stranger does not learn that a mail was too long, so its beginning is better than nothing. */
function shorten(content: string): string {
  const letters = Array.from(content)
  if (letters.length <= MESSAGE_LENGTH_MAX) return content
  return `${letters.slice(0, MESSAGE_LENGTH_MAX - CUT.length).join('')}${CUT}`
}

const CUT = '\n\n(the email goes on)'
