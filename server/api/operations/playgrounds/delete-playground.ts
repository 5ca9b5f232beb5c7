/** `DELETE /realm/playgrounds/{playground_id}`. */

import type { PlaygroundId } from '../../../domain/ids.ts'
import { tellPlaygrounds } from '../../../decisions/organization/change-lists.ts'
import { operation } from '../../operation.ts'
import { id, required } from '../../params.ts'
import { requireAdministrator } from '../../../decisions/require-role.ts'

export const deletePlayground = operation({
  method: 'DELETE',
  path: '/realm/playgrounds/{playground_id}',
  summary: 'Remove a code playground',
  description: 'For administrators.',
  access: 'user',
  params: { playground_id: required(id<PlaygroundId>(), 'The id of the playground.') },
  reply: {},
  errors: ['ROLE_REQUIRED', 'PLAYGROUND_UNKNOWN'],
  events: ['realm_playgrounds'],
  run: ({ user, params, services: { committer }, fail }) =>
    committer.submit({
      kind: 'structure',
      decide(state) {
        requireAdministrator(state.getUser(user.id), fail)
        const { entries } = state.playgrounds
        const others = entries.filter((one) => one.id !== params.playground_id)
        if (others.length === entries.length) throw fail('PLAYGROUND_UNKNOWN')
        return { events: [tellPlaygrounds(state, others)], reply: () => ({}) }
      },
    }),
})
