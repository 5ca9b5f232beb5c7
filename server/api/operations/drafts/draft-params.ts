/** Drafts as clients send them. */

import { MissingDraftError, TooManyDraftsError } from '../../../../db/drafts.ts'
import type { Change } from '../../../actors/committer.ts'
import type { DraftContent, DraftTarget } from '../../../domain/drafts.ts'
import type { User } from '../../../domain/entities.ts'
import type { ChannelId, UserId } from '../../../domain/ids.ts'
import {
  CONVERSATION_SIZE_MAX,
  countCodePoints,
  DRAFTS_MAX,
  MESSAGE_LENGTH_MAX,
  TOPIC_LENGTH_MAX,
} from '../../../domain/limits.ts'
import { parseTopic } from '../../../domain/topics.ts'
import type { OrganizationState } from '../../../state/organization-state.ts'
import { type ErrorName, type Fail, fail as failWith } from '../../../errors/api-error.ts'
import type { Services } from '../../services.ts'
import { id, list, object, oneOf, optional, required, type Type, text } from '../../params.ts'

/** What can be wrong with a draft. */
export const DRAFT_ERRORS = [
  'DRAFT_CHANNEL_COUNT',
  'CHANNEL_UNKNOWN',
  'RECIPIENT_ID_UNKNOWN',
  'MESSAGE_EMPTY',
] as const satisfies readonly ErrorName[]

function invalid(message: string) {
  return failWith('PARAMETER_INVALID', { message })
}

/** The text of a message to be. */
const contentType: Type<string> = {
  isText: true,
  schema: { type: 'string', maxLength: MESSAGE_LENGTH_MAX },
  check(value, name) {
    if (typeof value === 'string' && value.includes('\0'))
      throw invalid('Message must not contain null bytes')
    const content = text().check(value, name).trimEnd()
    if (countCodePoints(content) > MESSAGE_LENGTH_MAX)
      throw invalid(`${name} is too long (limit: ${MESSAGE_LENGTH_MAX} characters)`)
    return content
  },
}

/** UNIX seconds; some clients give fractions of them. */
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
    'Where it goes; empty where that is not known.',
  ),
  to: required(
    list(id<number>(), { lengthMax: CONVERSATION_SIZE_MAX }),
    "A channel's id, or those of people.",
  ),
  topic: required(text({ lengthMax: TOPIC_LENGTH_MAX, trim: true }), 'The topic, for channels.'),
  content: required(contentType, 'The message, in Markdown.'),
  timestamp: optional(timestampType, 'When it was last edited; now where it is left out.'),
})
type GivenDraft = ReturnType<typeof draftType.check>

/** The draft of a user, where they may name what it names. */
export function readDraft(
  { type, to, topic, content, timestamp }: GivenDraft,
  user: User,
  state: OrganizationState,
  nowSeconds: number,
  fail: Fail<(typeof DRAFT_ERRORS)[number]>,
): DraftContent {
  if (content.trim() === '') throw fail('MESSAGE_EMPTY')
  return {
    target: readTarget(type, to, topic, user, state, fail),
    content,
    editedAt: timestamp ?? nowSeconds,
  }
}

function readTarget(
  type: GivenDraft['type'],
  to: readonly number[],
  topic: string,
  user: User,
  state: OrganizationState,
  fail: Fail<(typeof DRAFT_ERRORS)[number]>,
): DraftTarget {
  switch (type) {
    case '':
      return { kind: 'unknown' }
    case 'stream':
    case 'channel': {
      if (to.length !== 1) throw fail('DRAFT_CHANNEL_COUNT')
      const channelId = to[0] as ChannelId
      if (!state.findReadableChannel(user, channelId)) throw fail('CHANNEL_UNKNOWN')
      return { kind: 'channel', channelId, topic: parseTopic(topic) }
    }
    case 'private':
    case 'direct': {
      const userIds = [...new Set(to)] as UserId[]
      for (const userId of userIds) {
        if (!state.findKnownUser(user, userId)) throw fail('RECIPIENT_ID_UNKNOWN', { id: userId })
      }
      return { kind: 'direct', userIds }
    }
  }
}

/** Commits a change of drafts, for those who have them kept here; what is missing or too much turns out as it is stored. */
export async function submitDrafts<Result>(
  { committer }: Services,
  user: User,
  fail: Fail<'DRAFTS_DISABLED'>,
  decide: Change<Result>['decide'],
): Promise<Result> {
  try {
    return await committer.submit({
      kind: 'structure',
      decide(state) {
        if (!state.settingsOf(user.id).enableDraftsSynchronization) throw fail('DRAFTS_DISABLED')
        return decide(state)
      },
    })
  } catch (error) {
    if (error instanceof MissingDraftError) throw failWith('DRAFT_UNKNOWN')
    if (error instanceof TooManyDraftsError) throw failWith('TOO_MANY_DRAFTS', { countMax: DRAFTS_MAX })
    throw error
  }
}
