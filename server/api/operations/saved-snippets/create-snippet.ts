/** `POST /saved_snippets`: keeps a text of the caller. */

import { TooManySnippetsError } from '../../../../db/saved-snippets.ts'
import { nowSeconds } from '../../../domain/clock.ts'
import { SNIPPETS_MAX } from '../../../domain/limits.ts'
import { commitOwn } from '../../changes/commit-own.ts'
import { operation } from '../../operation.ts'
import { required } from '../../params.ts'
import { contentType, titleType } from './snippet-params.ts'
import { INTEGER } from '../../../domain/json-schema.ts'

export const createSnippet = operation({
  method: 'POST',
  path: '/saved_snippets',
  summary: 'Create a saved snippet',
  access: 'user',
  params: {
    title: required(titleType, 'What the snippet is called.'),
    content: required(contentType, 'The text, in Markdown.'),
  },
  reply: { saved_snippet_id: { schema: INTEGER, description: 'The id of the snippet.' } },
  errors: ['TOO_MANY_SNIPPETS'],
  events: ['saved_snippets/add'],
  async run({ params, user, services, fail }) {
    const snippet = { ...params, createdAt: nowSeconds(services.clock) }
    try {
      const id = await commitOwn(services, { type: 'saved_snippets/add', userId: user.id, snippet })
      return { saved_snippet_id: id }
    } catch (error) {
      if (error instanceof TooManySnippetsError) throw fail('TOO_MANY_SNIPPETS', { countMax: SNIPPETS_MAX })
      throw error
    }
  },
})
