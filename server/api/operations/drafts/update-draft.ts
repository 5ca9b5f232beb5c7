/** `PATCH /drafts/{draft_id}`: replaces a draft of the caller. */

import type { DraftId } from '../../../domain/ids.ts'
import { MissingDraftError } from '../../../../db/personal/drafts.ts'
import { decideDraftUpdate, DRAFT_ERRORS } from '../../../decisions/personal/change-drafts.ts'
import { change } from '../../change-operation.ts'
import { id, required } from '../../params.ts'
import { draftType, readDraft } from './draft-params.ts'

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
