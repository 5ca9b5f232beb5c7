/** `POST /drafts`: adds drafts of the caller. */

import { countDrafts, TooManyDraftsError } from '../../../../db/personal/drafts.ts'
import { decideNewDrafts, NEW_DRAFT_ERRORS } from '../../../decisions/personal/change-drafts.ts'
import { DRAFTS_MAX, DRAFTS_PER_CALL_MAX } from '../../../domain/limits.ts'
import { change } from '../../change-operation.ts'
import { defaulted, list } from '../../params.ts'
import { draftType, readDraft } from './draft-params.ts'
import { arrayOf, INTEGER } from '../../../domain/json-schema.ts'

export const createDrafts = change({
  method: 'POST',
  path: '/drafts',
  summary: 'Create drafts',
  description: 'Stores drafts for all clients of the caller: all of them, or none.',
  access: 'user',
  params: {
    drafts: defaulted(list(draftType, { lengthMax: DRAFTS_PER_CALL_MAX }), [], 'The drafts.'),
  },
  reply: { ids: { schema: arrayOf(INTEGER), description: 'Their ids, in the same order.' } },
  errors: NEW_DRAFT_ERRORS,
  events: ['drafts/add'],
  prepare: async ({ params, user, services: { sql } }) => ({
    drafts: params.drafts.map(readDraft),
    heldCount: await countDrafts(sql, user.id),
  }),
  decide: decideNewDrafts,
  explain: (error, { fail }) =>
    error instanceof TooManyDraftsError ? fail('TOO_MANY_DRAFTS', { countMax: DRAFTS_MAX }) : undefined,
  answer: (ids) => ({ ids }),
})
