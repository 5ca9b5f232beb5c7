/** Code playgrounds. */

import {
  decideNewPlayground,
  decidePlaygroundRemoval,
  NEW_PLAYGROUND_ERRORS,
  REMOVE_PLAYGROUND_ERRORS,
} from '../../decisions/organization/change-playgrounds.ts'
import { INTEGER } from '../../domain/json-schema.ts'
import { CODE_LANGUAGE_LENGTH_MAX } from '../../../packages/rules/limits.ts'
import { PLAYGROUND_NAME_LENGTH_MAX, PLAYGROUND_TEMPLATE_LENGTH_MAX } from '../../domain/limits.ts'
import { LANGUAGE_ALIAS } from '../../views/names.ts'
import { change } from '../change-operation.ts'
import { id, required, text } from '../params.ts'
import type { PlaygroundId } from '../../domain/ids.ts'

/** `POST /realm/playgrounds`. */
export const createPlayground = change({
  method: 'POST',
  path: '/realm/playgrounds',
  summary: 'Add a code playground',
  description: 'For administrators. Clients offer to open code of the language at its address.',
  access: 'user',
  params: {
    name: required(
      text({ lengthMax: PLAYGROUND_NAME_LENGTH_MAX, trim: true, blank: false }),
      'Its name, which is unique per language.',
    ),
    highlighter_language: required(
      text({ lengthMax: CODE_LANGUAGE_LENGTH_MAX, trim: true, blank: false }),
      'The language, by its name in the highlighter.',
      { aliases: [LANGUAGE_ALIAS] },
    ),
    url_template: required(
      text({ lengthMax: PLAYGROUND_TEMPLATE_LENGTH_MAX, trim: true, blank: false }),
      'The address that opens code: a URL template by RFC 6570 with one variable, `code`.',
    ),
  },
  reply: { id: { schema: INTEGER, description: "The new playground's id." } },
  errors: NEW_PLAYGROUND_ERRORS,
  events: ['realm_playgrounds'],
  prepare: ({ params: { name, highlighter_language: language, url_template: urlTemplate } }) => ({
    name,
    language,
    urlTemplate,
  }),
  decide: decideNewPlayground,
  answer: (id) => ({ id }),
})

/** `DELETE /realm/playgrounds/{playground_id}`. */
export const deletePlayground = change({
  method: 'DELETE',
  path: '/realm/playgrounds/{playground_id}',
  summary: 'Remove a code playground',
  description: 'For administrators.',
  access: 'user',
  params: { playground_id: required(id<PlaygroundId>(), 'The id of the playground.') },
  reply: {},
  errors: REMOVE_PLAYGROUND_ERRORS,
  events: ['realm_playgrounds'],
  prepare: ({ params }) => ({ playgroundId: params.playground_id }),
  decide: decidePlaygroundRemoval,
})
