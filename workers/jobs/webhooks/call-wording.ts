/** Words about a call that failed: for its conversation, and for the bot's owner. */

import type { SingleMessage } from '../../../db/messages/single-message.ts'
import { cut, mentionUser } from '../../../server/decisions/notice-wording.ts'
import type { User } from '../../../server/domain/entities.ts'

/** Characters of an answer that the owner is shown. */
const SHOWN_LENGTH_MAX = 1_000

/** A failure in words. */
export interface CallFailure {
  /** The end of a sentence about the receiver. */
  readonly reason: string
  readonly body: string
}

/** For the conversation, as in the API family. */
export const wordFailure = ({ reason }: CallFailure): string => `Failure! Third party ${reason}.`

/** For the owner. @param message the message that called the bot, if the owner may read it. */
export function wordOutage(
  bot: User,
  { reason, body }: CallFailure,
  message?: SingleMessage['message'],
): string {
  const called = message ? `[A message](${linkTo(message)})` : 'A message'
  const shown = cut(body, SHOWN_LENGTH_MAX)
  const fence = '`'.repeat(Math.max(3, ...[...shown.matchAll(/`+/g)].map(([run]) => run.length + 1)))
  return [
    `${called} called your bot ${mentionUser(bot)}, but its receiver ${reason}.`,
    ...(shown.trim() === '' ? [] : [`It said:\n${fence}text\n${shown}\n${fence}`]),
    'There will be no more of these messages until a call succeeds.',
  ].join('\n\n')
}

function linkTo({ id, destination }: SingleMessage['message']): string {
  return destination.kind === 'direct'
    ? `/#narrow/dm/${destination.userIds.join(',')}/near/${id}`
    : `/#narrow/channel/${destination.channelId}/near/${id}`
}
