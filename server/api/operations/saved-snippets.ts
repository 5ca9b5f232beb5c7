/** Saved snippets. */

import { MESSAGE_LENGTH_MAX, SNIPPET_TITLE_LENGTH_MAX } from '../../../packages/rules/limits.ts'
import { SNIPPETS_MAX } from '../../domain/limits.ts'
import { id, optional, required, text } from '../params.ts'
import {
  findSnippet,
  readSnippets,
  StaleSnippetError,
  TooManySnippetsError,
} from '../../../db/personal/saved-snippets.ts'
import { SNIPPET, viewSnippet } from '../../views/personal-lists-view.ts'
import { operation } from '../operation.ts'
import { arrayOf, INTEGER } from '../../domain/json-schema.ts'
import {
  decideNewSnippet,
  decideSnippetRemoval,
  decideSnippetUpdate,
} from '../../decisions/personal/change-snippets.ts'
import { change } from '../change-operation.ts'
import type { SnippetId } from '../../domain/ids.ts'

/** The title of a snippet. */
const titleType = text({ lengthMax: SNIPPET_TITLE_LENGTH_MAX, trim: true, blank: false })
/** The text, which will be part of a message. */
const contentType = text({ lengthMax: MESSAGE_LENGTH_MAX, trim: true, blank: false })

/** `GET /saved_snippets`: the caller's snippets. */
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

/** `POST /saved_snippets`: adds a snippet of the caller. */
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

/** `PATCH /saved_snippets/{saved_snippet_id}`: changes a snippet of the caller. */
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

/** `DELETE /saved_snippets/{saved_snippet_id}`: removes a snippet of the caller. */
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
