/** Words about a call that failed: for its conversation, in the organization's language, and for the bot's owner, in theirs. */

import type { SingleMessage } from '../../../db/messages/single-message.ts'
import { cut, mentionUser } from '../../../server/decisions/notice-wording.ts'
import type { User } from '../../../server/domain/entities.ts'
import type { ServerTexts } from '../../../server/texts/texts.ts'
import type { FailureReason } from './call-receiver.ts'

/** Characters of an answer that the owner is shown. */
const SHOWN_LENGTH_MAX = 1_000

/** A failure, before it has words. */
export interface CallFailure {
  readonly reason: FailureReason
  readonly body: string
}

/** For the conversation, as in the API family. */
export function wordFailure({ t }: ServerTexts, { reason }: CallFailure): string {
  switch (reason) {
    case 'address_refused':
      return t('Failure! Third party has an address that may not be called.')
    case 'answer_too_long':
      return t('Failure! Third party sent an answer that is too long.')
    case 'no_answer':
      return t('Failure! Third party did not respond.')
    case 'answer_not_json':
      return t('Failure! Third party sent an answer that is not JSON.')
    case 'answer_no_object':
      return t('Failure! Third party sent an answer that is not a JSON object.')
    case 'answer_without_text':
      return t('Failure! Third party sent an answer whose text is not a string.')
    case 'answer_not_posted':
      return t('Failure! Third party sent an answer that cannot be posted.')
    default:
      return t('Failure! Third party responded with {status}.', { status: String(reason) })
  }
}

/** For a direct message to a bot whose form has none. */
export const wordNoDirectMessages = ({ t }: ServerTexts): string =>
  t("Failure! Slack's form of outgoing webhooks has no direct messages.")

/** For the owner. @param message the message that called the bot, if the owner may read it. */
export function wordOutage(
  texts: ServerTexts,
  bot: User,
  failure: CallFailure,
  message?: SingleMessage['message'],
): string {
  const { t } = texts
  const called = message ? `[${t('A message')}](${linkTo(message)})` : t('A message')
  const shown = cut(failure.body, SHOWN_LENGTH_MAX)
  const fence = '`'.repeat(Math.max(3, ...[...shown.matchAll(/`+/g)].map(([run]) => run.length + 1)))
  return [
    wordForOwner(texts, failure, { message: called, bot: mentionUser(bot) }),
    ...(shown.trim() === '' ? [] : [`${t('It said:')}\n${fence}text\n${shown}\n${fence}`]),
    t('There will be no more of these messages until a call succeeds.'),
  ].join('\n\n')
}

function wordForOwner(
  { t }: ServerTexts,
  { reason }: CallFailure,
  names: { readonly message: string; readonly bot: string },
): string {
  switch (reason) {
    case 'address_refused':
      return t(
        '{message} called your bot {bot}, but its receiver has an address that may not be called.',
        names,
      )
    case 'answer_too_long':
      return t('{message} called your bot {bot}, but its receiver sent an answer that is too long.', names)
    case 'no_answer':
      return t('{message} called your bot {bot}, but its receiver did not respond.', names)
    case 'answer_not_json':
      return t('{message} called your bot {bot}, but its receiver sent an answer that is not JSON.', names)
    case 'answer_no_object':
      return t(
        '{message} called your bot {bot}, but its receiver sent an answer that is not a JSON object.',
        names,
      )
    case 'answer_without_text':
      return t(
        '{message} called your bot {bot}, but its receiver sent an answer whose text is not a string.',
        names,
      )
    case 'answer_not_posted':
      return t(
        '{message} called your bot {bot}, but its receiver sent an answer that cannot be posted.',
        names,
      )
    default:
      return t('{message} called your bot {bot}, but its receiver responded with {status}.', {
        message: names.message,
        bot: names.bot,
        status: String(reason),
      })
  }
}

function linkTo({ id, destination }: SingleMessage['message']): string {
  return destination.kind === 'direct'
    ? `/#narrow/dm/${destination.userIds.join(',')}/near/${id}`
    : `/#narrow/channel/${destination.channelId}/near/${id}`
}
