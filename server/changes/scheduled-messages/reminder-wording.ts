/** The text of the server's reminder of a message. */

import type { SingleMessage } from '../../../db/messages/single-message.ts'
import type { User } from '../../domain/entities.ts'
import type { MessageId } from '../../domain/ids.ts'
import { MESSAGE_LENGTH_MAX } from '../../../packages/rules/limits.ts'
import { countCodePoints } from '../../../packages/rules/count-code-points.ts'
import type { OrganizationState } from '../../state/organization-state.ts'
import { ApiError } from '../../errors/api-error.ts'
import { composeMessage } from '../messages/compose-message.ts'
import { findMessage } from '../messages/find-message.ts'
import type { ServerTexts } from '../../texts/texts.ts'
import { cut, linkTopic, mentionUser, noticeTexts, quote } from '../../decisions/notice-wording.ts'
import type { Sending } from '../sending.ts'

/** A reminder as a text, and its HTML, as its owner may see it. */
export interface WordedReminder {
  readonly content: string
  readonly rendered: string
}

/** The reminder of a message that its owner may read; undefined if they may not, or the message is gone. */
export async function wordReminder(
  targetId: MessageId,
  note: string,
  owner: User,
  services: Sending,
): Promise<WordedReminder | undefined> {
  const found = await findMessage(targetId, owner, services)
  if (!found) return undefined
  const { message } = found
  const { state } = services
  const texts = noticeTexts(state, owner.id)
  const { t } = texts
  const head = `${describeTarget(texts, message, state)}${wordNote(texts, note)}`
  const sender = state.userVisibility.knows(owner.id, message.senderId)
    ? mentionUser(state.getUser(message.senderId))
    : t('Someone')
  const said = `${head}\n\n${t('{sender} said:', { sender })}\n\n`
  const whole = said + cut(quote(message.content), MESSAGE_LENGTH_MAX - countCodePoints(said))
  try {
    return await render(whole, owner, services)
  } catch (error) {
    // Any message must allow a reminder.
    if (error instanceof ApiError && error.errorName === 'MESSAGE_RENDERING_FAILED')
      return render(head, owner, services)
    throw error
  }
}

/** The reminder of a message that its owner may no longer read. */
export function wordReminderOfNothing(note: string, owner: User, services: Sending): Promise<WordedReminder> {
  const texts = noticeTexts(services.state, owner.id)
  const { t } = texts
  const sentence = t('You requested a reminder for a message that you can no longer see.')
  const content = `${sentence}${wordNote(texts, note)}`
  return render(content, owner, services)
}

/** Rendered with names that the owner may know, so that note and quote reveal nothing else. */
async function render(content: string, owner: User, services: Sending): Promise<WordedReminder> {
  const composed = await composeMessage(content, owner, { kind: 'direct', userIds: [owner.id] }, services)
  return { content, rendered: composed.rendered }
}

function wordNote({ t }: ServerTexts, note: string): string {
  return note === '' ? '' : ` ${t('Note:')}\n\n${quote(note)}`
}

function describeTarget(
  { t }: ServerTexts,
  { id, destination }: SingleMessage['message'],
  state: OrganizationState,
): string {
  if (destination.kind === 'direct')
    return t('You requested a reminder for [this direct message]({address}).', {
      address: `/#narrow/dm/${destination.userIds.join(',')}/near/${id}`,
    })
  const { channel } = state.getChannel(destination.channelId)
  return t('You requested a reminder for [this message]({address}) in {topic}.', {
    address: `/#narrow/channel/${channel.id}/near/${id}`,
    topic: linkTopic(channel, destination.topic),
  })
}
