/** Drafts. */

import {
  checkDraftsEnabled,
  decideDraftRemoval,
  decideDraftUpdate,
  decideNewDrafts,
  DRAFT_ERRORS,
  DRAFT_REMOVAL_ERRORS,
  type GivenDraft,
  type GivenDraftTarget,
  NEW_DRAFT_ERRORS,
} from '../../decisions/personal/change-drafts.ts'
import type { ChannelId, DraftId, UserId } from '../../domain/ids.ts'
import {
  CONVERSATION_SIZE_MAX,
  DRAFTS_LENGTH_PER_CALL_MAX,
  DRAFTS_MAX,
  DRAFTS_PER_CALL_MAX,
  TOPIC_LENGTH_MAX,
} from '../../domain/limits.ts'
import { MESSAGE_LENGTH_MAX } from '../../../packages/rules/limits.ts'
import { countCodePoints } from '../../../packages/rules/count-code-points.ts'
import { ownText } from '../../domain/text/own-text.ts'
import { fail } from '../../errors/api-error.ts'
import { defaulted, id, list, object, oneOf, optional, required, text, type Type } from '../params.ts'
import {
  countDrafts,
  MissingDraftError,
  readDrafts,
  TooManyDraftsError,
} from '../../../db/personal/drafts.ts'
import { DRAFT, viewDraft } from '../../views/draft-view.ts'
import { operation } from '../operation.ts'
import { arrayOf, INTEGER } from '../../domain/json-schema.ts'
import { change } from '../change-operation.ts'

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
const draftType = object({
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

const anyDraftsType = list(draftType, { lengthMax: DRAFTS_PER_CALL_MAX })

/** The drafts of a call. */
const draftsType: Type<readonly DraftParams[]> = {
  ...anyDraftsType,
  check(value, name) {
    const drafts = anyDraftsType.check(value, name)
    const length = drafts.reduce((sum, { content }) => sum + countCodePoints(content), 0)
    if (length > DRAFTS_LENGTH_PER_CALL_MAX)
      throw invalid(`${name} is too long (limit: ${DRAFTS_LENGTH_PER_CALL_MAX} characters together)`)
    return drafts
  },
}

/** A draft from its parameters. */
function readDraft({ type, to, topic, content, timestamp }: DraftParams): GivenDraft {
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

/** `GET /drafts`: the caller's drafts. */
export const getDrafts = operation({
  method: 'GET',
  path: '/drafts',
  summary: 'Get drafts',
  access: 'user',
  params: {},
  reply: {
    count: { schema: INTEGER, description: 'The number of drafts.' },
    drafts: { schema: arrayOf(DRAFT), description: 'The drafts, the last edited at the end.' },
  },
  errors: ['DRAFTS_DISABLED'],
  events: [],
  async run({ user, services: { sql, state }, fail }) {
    checkDraftsEnabled({ state, caller: user, fail })
    const drafts = (await readDrafts(sql, user.id, state.appliedId)).map(viewDraft)
    return { count: drafts.length, drafts }
  },
})

/** `POST /drafts`: adds drafts of the caller. */
export const createDrafts = change({
  method: 'POST',
  path: '/drafts',
  summary: 'Create drafts',
  description: 'Stores drafts for all clients of the caller: all of them, or none.',
  access: 'user',
  params: {
    drafts: defaulted(
      draftsType,
      [],
      `The drafts, with at most ${DRAFTS_LENGTH_PER_CALL_MAX.toLocaleString('en-US')} characters of text together.`,
    ),
  },
  reply: { ids: { schema: arrayOf(INTEGER), description: 'Their ids, in the same order.' } },
  errors: NEW_DRAFT_ERRORS,
  events: ['drafts/add', 'agent_wrote'],
  prepare: async ({ params, user, services: { sql } }) => ({
    drafts: params.drafts.map(readDraft),
    heldCount: await countDrafts(sql, user.id),
  }),
  decide: decideNewDrafts,
  explain: (error, { fail }) =>
    error instanceof TooManyDraftsError ? fail('TOO_MANY_DRAFTS', { countMax: DRAFTS_MAX }) : undefined,
  answer: (ids) => ({ ids }),
})

/** `PATCH /drafts/{draft_id}`: replaces a draft of the caller. */
export const updateDraft = change({
  method: 'PATCH',
  path: '/drafts/{draft_id}',
  summary: 'Update a draft',
  access: 'user',
  params: {
    draft_id: required(id<DraftId>(), 'The draft.'),
    draft: required(draftType, 'The new draft.'),
  },
  reply: {},
  errors: [...DRAFT_ERRORS, 'DRAFT_UNKNOWN'],
  events: ['drafts/update'],
  prepare: ({ params }) => ({ draftId: params.draft_id, draft: readDraft(params.draft) }),
  decide: decideDraftUpdate,
  explain: (error, { fail }) => (error instanceof MissingDraftError ? fail('DRAFT_UNKNOWN') : undefined),
})

/** `DELETE /drafts/{draft_id}`: removes a draft of the caller. */
export const deleteDraft = change({
  method: 'DELETE',
  path: '/drafts/{draft_id}',
  summary: 'Delete a draft',
  access: 'user',
  params: { draft_id: required(id<DraftId>(), 'The draft.') },
  reply: {},
  errors: [...DRAFT_REMOVAL_ERRORS, 'DRAFT_UNKNOWN'],
  events: ['drafts/remove'],
  prepare: ({ params }) => ({ draftId: params.draft_id }),
  decide: decideDraftRemoval,
  explain: (error, { fail }) => (error instanceof MissingDraftError ? fail('DRAFT_UNKNOWN') : undefined),
})
