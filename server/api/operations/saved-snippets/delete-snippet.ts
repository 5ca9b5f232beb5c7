/** `DELETE /saved_snippets/{saved_snippet_id}`: removes a snippet of the caller. */

import { StaleSnippetError } from '../../../../db/saved-snippets.ts'
import type { SnippetId } from '../../../domain/ids.ts'
import { commitOwn } from '../../changes/commit-own.ts'
import { operation } from '../../operation.ts'
import { id, required } from '../../params.ts'

export const deleteSnippet = operation({
  method: 'DELETE',
  path: '/saved_snippets/{saved_snippet_id}',
  summary: 'Delete a saved snippet',
  access: 'user',
  params: { saved_snippet_id: required(id<SnippetId>(), 'The snippet.') },
  reply: {},
  errors: ['SNIPPET_UNKNOWN'],
  events: ['saved_snippets/remove'],
  async run({ params, user, services, fail }) {
    try {
      await commitOwn(services, {
        type: 'saved_snippets/remove',
        userId: user.id,
        snippetId: params.saved_snippet_id,
      })
    } catch (error) {
      if (error instanceof StaleSnippetError) throw fail('SNIPPET_UNKNOWN')
      throw error
    }
    return {}
  },
})
