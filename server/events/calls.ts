/** Users' access to the provider of video calls. */

import { placeProviderToken, removeProviderToken } from '../../db/accounts/provider-tokens.ts'
import type { CallFact } from '../domain/events/calls.ts'
import { BOOLEAN, record } from '../domain/json-schema.ts'
import { type Entries, fact } from './entry.ts'
import { eventSchema, shownWhole } from './view.ts'

export const CALL_EVENTS: Entries<CallFact> = {
  has_provider_token: fact({
    store: (writes, _, { userId, tokenId, value }) =>
      value ? placeProviderToken(writes, userId, tokenId) : removeProviderToken(writes, userId, tokenId),
    view: shownWhole(
      eventSchema(
        'has_provider_token',
        'The user allowed calls at the provider, or the provider no longer accepts the token.',
        record({ value: BOOLEAN }),
      ),
      ({ type, value }, { options }) => ({
        // The name that the client asked for; the reference has only the neutral one.
        type: (options.typeAliases?.[type] ?? type) as typeof type,
        value,
      }),
    ),
  }),
}
