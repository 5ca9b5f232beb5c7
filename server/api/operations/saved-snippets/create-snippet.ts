/** `POST /saved_snippets`: adds a snippet of the caller. */

import { TooManySnippetsError } from '../../../../db/personal/saved-snippets.ts'
import { SNIPPETS_MAX } from '../../../domain/limits.ts'
import { decideNewSnippet } from '../../../decisions/personal/change-snippets.ts'
import { change } from '../../change-operation.ts'
import { required } from '../../params.ts'
import { contentType, titleType } from './snippet-params.ts'
import { INTEGER } from '../../../domain/json-schema.ts'

export const createSnippet = change({
  method: 'POST',
  path: '/saved_snippets',
  summary: 'Create a saved snippet',
  access: 'user',
  params: {
    title: required(titleType, 'The title of the snippet.'),
    content: required(contentType, 'The text, in Markdown.'),
  },
  reply: { saved_snippet_id: { schema: INTEGER, description: 'The id of the snippet.' } },
  errors: ['TOO_MANY_SNIPPETS'],
  events: ['saved_snippets/add'],
  prepare: ({ params }) => params,
  decide: decideNewSnippet,
  explain: (error, { fail }) =>
    error instanceof TooManySnippetsError ? fail('TOO_MANY_SNIPPETS', { countMax: SNIPPETS_MAX }) : undefined,
  answer: (id) => ({ saved_snippet_id: id }),
})
