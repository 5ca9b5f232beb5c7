/** `POST /drafts`: keeps drafts of the caller. */

import { nowSeconds } from '../../../domain/clock.ts'
import { DRAFTS_PER_CALL_MAX } from '../../../domain/limits.ts'
import { UserSet } from '../../../domain/user-set.ts'
import { operation } from '../../operation.ts'
import { defaulted, list } from '../../params.ts'
import { DRAFT_ERRORS, draftType, readDraft, submitDrafts } from './draft-params.ts'
import { arrayOf, INTEGER } from '../../../domain/json-schema.ts'

export const createDrafts = operation({
  method: 'POST',
  path: '/drafts',
  summary: 'Create drafts',
  description: "Keeps drafts for the caller's other clients: all of them, or none.",
  access: 'user',
  params: {
    drafts: defaulted(list(draftType, { lengthMax: DRAFTS_PER_CALL_MAX }), [], 'The drafts.'),
  },
  reply: { ids: { schema: arrayOf(INTEGER), description: 'Their ids, in the same order.' } },
  errors: [...DRAFT_ERRORS, 'DRAFTS_DISABLED', 'TOO_MANY_DRAFTS'],
  events: ['drafts/add'],
  async run({ params, user, services, fail }) {
    const ids = await submitDrafts(services, user, fail, (state) => {
      const now = nowSeconds(services.clock)
      const audience = { kind: 'users', users: UserSet.of([user.id]) } as const
      const events = params.drafts.map((given) => {
        const draft = readDraft(given, state.getUser(user.id), state, now, fail)
        return { event: { type: 'drafts/add', userId: user.id, draft }, audience } as const
      })
      return { events, reply: (firstId) => events.map((_, index) => firstId + index) }
    })
    return { ids }
  },
})
