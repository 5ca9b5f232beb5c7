/** The parameters of settings for editing, moving and deleting messages. */

import { TIME_LIMIT_SECONDS_MAX } from '../../../domain/limits.ts'
import { fail } from '../../../errors/api-error.ts'
import { boolean, integer, looseJson, oneOf, optional, type Type, type ValuesOf } from '../../params.ts'

/** Seconds, or a word for no limit, which becomes null. */
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
  allow_message_editing: optional(boolean(), 'Whether the content of messages may be edited.'),
  message_content_edit_limit_seconds: optional(
    timeLimitType,
    'Seconds in which senders may edit the content of their messages, or `unlimited`.',
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
    'The visible part of the edit history: all, only moves, or nothing.',
  ),
  allow_edit_history: optional(boolean(), 'Whether any of it is visible, for older clients.', {
    isDeprecated: true,
  }),
  enable_read_receipts: optional(boolean(), 'Whether users see who has read a message.'),
}

type MessageSettingValues = ValuesOf<typeof MESSAGE_SETTING_PARAMS>

/** The settings from the parameters. */
export function readMessageSettings(params: MessageSettingValues) {
  const { message_edit_history_visibility_policy: visibility, allow_edit_history: isHistoryAllowed } = params
  const older = isHistoryAllowed ? ('all' as const) : ('none' as const)
  return {
    allowsEditing: params.allow_message_editing,
    contentEditLimitSeconds: params.message_content_edit_limit_seconds,
    contentDeleteLimitSeconds: params.message_content_delete_limit_seconds,
    topicMoveLimitSeconds: params.move_messages_within_stream_limit_seconds,
    channelMoveLimitSeconds: params.move_messages_between_streams_limit_seconds,
    editHistoryVisibility: visibility ?? (isHistoryAllowed === undefined ? undefined : older),
    hasReadReceipts: params.enable_read_receipts,
  }
}

/** Whether the edit history is requested in the form of older clients, which has no moves. */
export function isAnyHistoryEnough(params: MessageSettingValues): boolean {
  return params.message_edit_history_visibility_policy === undefined && params.allow_edit_history === true
}
