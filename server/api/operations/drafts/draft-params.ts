/** The parameters of drafts. */

import type { GivenDraft, GivenDraftTarget } from '../../../decisions/personal/change-drafts.ts'
import type { ChannelId, UserId } from '../../../domain/ids.ts'
import {
  CONVERSATION_SIZE_MAX,
  countCodePoints,
  MESSAGE_LENGTH_MAX,
  TOPIC_LENGTH_MAX,
} from '../../../domain/limits.ts'
import { ownText } from '../../../domain/text/own-text.ts'
import { fail } from '../../../errors/api-error.ts'
import { id, list, object, oneOf, optional, required, type Type, text } from '../../params.ts'

function invalid(message: string) {
  return fail('PARAMETER_INVALID', { message })
}

/** The text of a draft. */
const contentType: Type<string> = {
  isText: true,
  schema: { type: 'string', maxLength: MESSAGE_LENGTH_MAX },
  check(value, name) {
    if (typeof value === 'string' && value.includes('\0'))
      throw invalid('Message must not contain null bytes')
    const given = text().check(value, name)
    const content = ownText(given.trimEnd(), given)
    if (countCodePoints(content) > MESSAGE_LENGTH_MAX)
      throw invalid(`${name} is too long (limit: ${MESSAGE_LENGTH_MAX} characters)`)
    return content
  },
}

/** UNIX seconds; some clients send fractions. */
const timestampType: Type<number> = {
  isText: false,
  schema: { type: 'number', minimum: 0 },
  check(value, name) {
    if (typeof value !== 'number' || !Number.isSafeInteger(Math.floor(value)))
      throw invalid(`${name} is not an integer`)
    if (value < 0) throw invalid('Timestamp must not be negative.')
    return Math.floor(value)
  },
}

/** A draft. */
export const draftType = object({
  type: required(
    oneOf('', 'stream', 'channel', 'private', 'direct'),
    'The kind of recipient; empty if it is not chosen yet.',
  ),
  to: required(
    list(id<number>(), { lengthMax: CONVERSATION_SIZE_MAX }),
    'The id of a channel, or the ids of users.',
  ),
  topic: required(text({ lengthMax: TOPIC_LENGTH_MAX, trim: true }), 'The topic, for channels.'),
  content: required(contentType, 'The message, in Markdown.'),
  timestamp: optional(timestampType, 'The time of the last edit; by default the current time.'),
})
type DraftParams = ReturnType<typeof draftType.check>

/** A draft from its parameters. */
export function readDraft({ type, to, topic, content, timestamp }: DraftParams): GivenDraft {
  return { target: readTarget(type, to, topic), content, editedAt: timestamp }
}

/** The ids belong to a channel or to users, depending on the type. */
function readTarget(type: DraftParams['type'], ids: readonly number[], topic: string): GivenDraftTarget {
  switch (type) {
    case '':
      return { kind: 'unknown' }
    case 'stream':
    case 'channel':
      return { kind: 'channel', channelIds: ids as ChannelId[], topic }
    case 'private':
    case 'direct':
      return { kind: 'direct', userIds: ids as UserId[] }
  }
}
