/** `GET /saved_snippets`: the caller's snippets. */

import { readSnippets } from '../../../../db/personal/saved-snippets.ts'
import { SNIPPET, viewSnippet } from '../../../views/personal-lists-view.ts'
import { operation } from '../../operation.ts'
import { arrayOf } from '../../../domain/json-schema.ts'

export const getSnippets = operation({
  method: 'GET',
  path: '/saved_snippets',
  summary: 'Get saved snippets',
  access: 'user',
  params: {},
  reply: { saved_snippets: { schema: arrayOf(SNIPPET), description: 'The snippets, the oldest first.' } },
  errors: [],
  events: [],
  async run({ user, services: { sql, state } }) {
    return { saved_snippets: (await readSnippets(sql, user.id, state.appliedId)).map(viewSnippet) }
  },
})
