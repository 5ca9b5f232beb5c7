/** `PATCH /saved_snippets/{saved_snippet_id}`: changes a snippet of the caller. */

import { findSnippet, StaleSnippetError } from '../../../../db/personal/saved-snippets.ts'
import type { SnippetId } from '../../../domain/ids.ts'
import { decideSnippetUpdate } from '../../../decisions/personal/change-snippets.ts'
import { change } from '../../change-operation.ts'
import { id, optional, required } from '../../params.ts'
import { contentType, titleType } from './snippet-params.ts'

export const updateSnippet = change({
  method: 'PATCH',
  path: '/saved_snippets/{saved_snippet_id}',
  summary: 'Edit a saved snippet',
  description: 'Missing parameters stay unchanged. A request that changes nothing sends no event.',
  access: 'user',
  params: {
    saved_snippet_id: required(id<SnippetId>(), 'The snippet.'),
    title: optional(titleType, 'The new title.'),
    content: optional(contentType, 'The new text, in Markdown.'),
  },
  reply: {},
  errors: ['SNIPPET_UNKNOWN'],
  events: ['saved_snippets/update'],
  async prepare({ params: { saved_snippet_id: id, title, content }, user, services: { sql }, fail }) {
    const before = await findSnippet(sql, user.id, id)
    if (!before) throw fail('SNIPPET_UNKNOWN')
    return { before, title, content }
  },
  decide: decideSnippetUpdate,
  turn: ({ params }) => ({ object: `snippet ${params.saved_snippet_id}`, Stale: StaleSnippetError }),
})
