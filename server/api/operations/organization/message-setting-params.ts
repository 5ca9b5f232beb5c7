/** What administrators set of editing, moving and deleting messages. */

import { TIME_LIMIT_SECONDS_MAX } from '../../../domain/limits.ts'
import type { OrganizationSettings } from '../../../domain/organization-settings.ts'
import { fail } from '../../../errors/api-error.ts'
import { boolean, integer, looseJson, oneOf, optional, type Type, type ValuesOf } from '../../params.ts'

/** Seconds, or a word for no limit; null within. */
const timeLimitType: Type<number | null> = looseJson({
  isText: false,
  schema: {
    anyOf: [
      { type: 'string', enum: ['unlimited'] },
      { type: 'integer', minimum: 1 },
    ],
  },
  check(value, name) {
    if (value === 'unlimited') return null
    const seconds = integer().check(value, name)
    if (seconds >= 1 && seconds <= TIME_LIMIT_SECONDS_MAX) return seconds
    throw fail('PARAMETER_INVALID', { message: `Bad value for '${name}': ${seconds}` })
  },
})

/** The parameters, all of them optional. */
export const MESSAGE_SETTING_PARAMS = {
  allow_message_editing: optional(boolean(), 'Whether the content of messages may be changed.'),
  message_content_edit_limit_seconds: optional(
    timeLimitType,
    'Seconds in which senders may change the content of their messages, or `unlimited`.',
  ),
  message_content_delete_limit_seconds: optional(
    timeLimitType,
    'Seconds in which senders may delete their messages, or `unlimited`.',
  ),
  move_messages_within_stream_limit_seconds: optional(
    timeLimitType,
    'Seconds in which messages may be moved to another topic, or `unlimited`.',
  ),
  move_messages_between_streams_limit_seconds: optional(
    timeLimitType,
    'Seconds in which messages may be moved to another channel, or `unlimited`.',
  ),
  message_edit_history_visibility_policy: optional(
    oneOf('all', 'moves', 'none'),
    'What of edits is told: all, only how messages were moved, or nothing.',
  ),
  allow_edit_history: optional(boolean(), 'Whether anything of them is, as older clients know it.', {
    isDeprecated: true,
  }),
  enable_read_receipts: optional(boolean(), 'Whether anybody is told who has read a message.'),
}

/** What these parameters set, beside what is set. */
export function readMessageSettings(
  params: ValuesOf<typeof MESSAGE_SETTING_PARAMS>,
  { editHistoryVisibility }: OrganizationSettings,
): Partial<OrganizationSettings> {
  const { allow_edit_history: isHistoryAllowed } = params
  // Older clients know only whether there is a history: one of moves alone stays so for them.
  const isAllowedAnew = isHistoryAllowed === true && editHistoryVisibility === 'none'
  const visibility = isHistoryAllowed === false ? 'none' : isAllowedAnew ? 'all' : undefined
  return omitUndefined({
    allowsEditing: params.allow_message_editing,
    contentEditLimitSeconds: params.message_content_edit_limit_seconds,
    contentDeleteLimitSeconds: params.message_content_delete_limit_seconds,
    topicMoveLimitSeconds: params.move_messages_within_stream_limit_seconds,
    channelMoveLimitSeconds: params.move_messages_between_streams_limit_seconds,
    editHistoryVisibility: params.message_edit_history_visibility_policy ?? visibility,
    hasReadReceipts: params.enable_read_receipts,
  })
}

function omitUndefined<Whole extends object>(
  given: Whole,
): { [Name in keyof Whole]?: Exclude<Whole[Name], undefined> } {
  const kept = Object.entries(given).filter(([, value]) => value !== undefined)
  return Object.fromEntries(kept) as { [Name in keyof Whole]?: Exclude<Whole[Name], undefined> }
}
