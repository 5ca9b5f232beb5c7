/** `DELETE /drafts/{draft_id}`: removes a draft of the caller. */

import type { DraftId } from '../../../domain/ids.ts'
import { UserSet } from '../../../domain/user-set.ts'
import { operation } from '../../operation.ts'
import { id, required } from '../../params.ts'
import { submitDrafts } from './draft-params.ts'

export const deleteDraft = operation({
  method: 'DELETE',
  path: '/drafts/{draft_id}',
  summary: 'Delete a draft',
  access: 'user',
  params: { draft_id: required(id<DraftId>(), 'The draft.') },
  reply: {},
  errors: ['DRAFTS_DISABLED', 'DRAFT_UNKNOWN'],
  events: ['drafts/remove'],
  async run({ params, user, services, fail }) {
    await submitDrafts(services, user, fail, () => ({
      events: [
        {
          event: { type: 'drafts/remove', userId: user.id, draftId: params.draft_id },
          audience: { kind: 'users', users: UserSet.of([user.id]) },
        },
      ],
      reply: () => undefined,
    }))
    return {}
  },
})
