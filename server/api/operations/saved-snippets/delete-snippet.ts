/** `DELETE /saved_snippets/{saved_snippet_id}`: removes a snippet of the caller. */

import { StaleSnippetError } from '../../../../db/personal/saved-snippets.ts'
import type { SnippetId } from '../../../domain/ids.ts'
import { decideSnippetRemoval } from '../../../decisions/personal/change-snippets.ts'
import { change } from '../../change-operation.ts'
import { id, required } from '../../params.ts'

export const deleteSnippet = change({
  method: 'DELETE',
  path: '/saved_snippets/{saved_snippet_id}',
  summary: 'Delete a saved snippet',
  access: 'user',
  params: { saved_snippet_id: required(id<SnippetId>(), 'The snippet.') },
  reply: {},
  errors: ['SNIPPET_UNKNOWN'],
  events: ['saved_snippets/remove'],
  prepare: ({ params }) => ({ snippetId: params.saved_snippet_id }),
  decide: decideSnippetRemoval,
  explain: (error, { fail }) => (error instanceof StaleSnippetError ? fail('SNIPPET_UNKNOWN') : undefined),
})
