/** `PATCH /saved_snippets/{saved_snippet_id}`: changes a snippet of the caller. */

import { findSnippet, StaleSnippetError } from '../../../../db/saved-snippets.ts'
import type { SnippetId } from '../../../domain/ids.ts'
import { commitOwn } from '../../changes/commit-own.ts'
import { operation } from '../../operation.ts'
import { id, optional, required } from '../../params.ts'
import { contentType, titleType } from './snippet-params.ts'

export const updateSnippet = operation({
  method: 'PATCH',
  path: '/saved_snippets/{saved_snippet_id}',
  summary: 'Edit a saved snippet',
  description: 'What is left out stays as it is; where nothing would change, nothing is told.',
  access: 'user',
  params: {
    saved_snippet_id: required(id<SnippetId>(), 'The snippet.'),
    title: optional(titleType, 'What it is called from now on.'),
    content: optional(contentType, 'Its text from now on, in Markdown.'),
  },
  reply: {},
  errors: ['SNIPPET_UNKNOWN'],
  events: ['saved_snippets/update'],
  async run({ params, user, services, fail }) {
    const { sql, committer } = services
    return committer.turns.change(`snippet ${params.saved_snippet_id}`, StaleSnippetError, async () => {
      const before = await findSnippet(sql, user.id, params.saved_snippet_id)
      if (!before) throw fail('SNIPPET_UNKNOWN')
      const { title = before.title, content = before.content } = params
      if (title === before.title && content === before.content) return {}
      const snippet = { ...before, title, content }
      await commitOwn(services, { type: 'saved_snippets/update', userId: user.id, snippet })
      return {}
    })
  },
})
