/** `DELETE /realm/playgrounds/{playground_id}`. */

import {
  decidePlaygroundRemoval,
  REMOVE_PLAYGROUND_ERRORS,
} from '../../../decisions/organization/change-playgrounds.ts'
import type { PlaygroundId } from '../../../domain/ids.ts'
import { change } from '../../change-operation.ts'
import { id, required } from '../../params.ts'

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
