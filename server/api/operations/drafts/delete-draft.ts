/** `DELETE /drafts/{draft_id}`: removes a draft of the caller. */

import type { DraftId } from '../../../domain/ids.ts'
import { MissingDraftError } from '../../../../db/personal/drafts.ts'
import { decideDraftRemoval, DRAFT_REMOVAL_ERRORS } from '../../../decisions/personal/change-drafts.ts'
import { change } from '../../change-operation.ts'
import { id, required } from '../../params.ts'

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
