/** `GET /drafts`: the caller's drafts. */

import { readDrafts } from '../../../../db/personal/drafts.ts'
import { DRAFT, viewDraft } from '../../../views/draft-view.ts'
import { checkDraftsKept } from '../../../decisions/personal/change-drafts.ts'
import { operation } from '../../operation.ts'
import { arrayOf, INTEGER } from '../../../domain/json-schema.ts'

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
    checkDraftsKept({ state, caller: user, fail })
    const drafts = (await readDrafts(sql, user.id, state.appliedId)).map(viewDraft)
    return { count: drafts.length, drafts }
  },
})
