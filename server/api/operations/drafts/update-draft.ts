/** `PATCH /drafts/{draft_id}`: puts a draft of the caller in the place of another. */

import { nowSeconds } from '../../../domain/clock.ts'
import type { DraftId } from '../../../domain/ids.ts'
import { UserSet } from '../../../domain/user-set.ts'
import { operation } from '../../operation.ts'
import { id, required } from '../../params.ts'
import { DRAFT_ERRORS, draftType, readDraft, submitDrafts } from './draft-params.ts'

export const updateDraft = operation({
  method: 'PATCH',
  path: '/drafts/{draft_id}',
  summary: 'Update a draft',
  access: 'user',
  params: {
    draft_id: required(id<DraftId>(), 'The draft.'),
    draft: required(draftType, 'What it is from now on.'),
  },
  reply: {},
  errors: [...DRAFT_ERRORS, 'DRAFTS_DISABLED', 'DRAFT_UNKNOWN'],
  events: ['drafts/update'],
  async run({ params, user, services, fail }) {
    await submitDrafts(services, user, fail, (state) => {
      const own = state.getUser(user.id)
      const draft = readDraft(params.draft, own, state, nowSeconds(services.clock), fail)
      return {
        events: [
          {
            event: { type: 'drafts/update', userId: user.id, draftId: params.draft_id, draft },
            audience: { kind: 'users', users: UserSet.of([user.id]) },
          },
        ],
        reply: () => undefined,
      }
    })
    return {}
  },
})
