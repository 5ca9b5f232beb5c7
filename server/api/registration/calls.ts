/** The initial state of video calls. */

import { hasProviderToken } from '../../../db/accounts/provider-tokens.ts'
import { BOOLEAN, type ValueOf } from '../../domain/json-schema.ts'
import {
  BIGBLUEBUTTON_SERVICE_ID,
  LIVEKIT_SERVICE_ID,
  PROVIDER_SERVICE_ID,
  VIDEO_CALL_SERVICES,
} from '../../domain/settings/plain-settings.ts'
import type { NUMBERED_CHOICES } from '../../views/numbered-choices.ts'
import type { Services } from '../services.ts'
import { statePart } from './state-part.ts'

/** `has_provider_token`. */
export const providerToken = statePart({
  fields: {
    has_provider_token: {
      schema: BOOLEAN,
      description: 'Whether the user has a token of the call provider, so that they can create calls.',
    },
  },
  async fetch({ user, services: { calls, sql } }) {
    // A later event sends changes after the state's event.
    return { has_provider_token: calls !== undefined && (await hasProviderToken(sql, user.id)) }
  },
})

type CallServices = Pick<Services, 'calls' | 'bigBlueButton' | 'liveKit' | 'names'>

/** The providers of calls, by name. */
export function viewCallServices({
  calls,
  bigBlueButton,
  liveKit,
  names,
}: CallServices): ValueOf<typeof NUMBERED_CHOICES> {
  return names.addAliases({
    ...VIDEO_CALL_SERVICES,
    ...(calls ? { video_provider: { name: calls.name, id: PROVIDER_SERVICE_ID } } : {}),
    ...(bigBlueButton ? { big_blue_button: { name: 'BigBlueButton', id: BIGBLUEBUTTON_SERVICE_ID } } : {}),
    ...(liveKit ? { livekit: { name: 'LiveKit', id: LIVEKIT_SERVICE_ID } } : {}),
  })
}

/** Whether the organization may choose a provider of calls: clients can use it, or the operator has configured it. */
export function offersCallService(services: CallServices, id: number): boolean {
  return Object.values(viewCallServices(services)).some((service) => service.id === id)
}
