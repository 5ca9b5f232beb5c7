/** The initial state of video calls. */

import { hasProviderToken } from '../../../db/provider-tokens.ts'
import { PROVIDER_SERVICE_ID, VIDEO_CALL_SERVICES } from '../../domain/plain-settings.ts'
import type { Services } from '../services.ts'
import type { Fields, RegistrationContext } from './context.ts'

/** `has_provider_token`. */
export async function fetchProviderToken({
  user,
  services: { calls, sql },
}: RegistrationContext): Promise<Fields> {
  // A later event sends changes after the state's event.
  return { has_provider_token: calls !== undefined && (await hasProviderToken(sql, user.id)) }
}

/** The providers of calls, by name. */
export function viewCallServices({ calls, names }: Services): object {
  return names.addAliases({
    ...VIDEO_CALL_SERVICES,
    ...(calls ? { video_provider: { name: calls.name, id: PROVIDER_SERVICE_ID } } : {}),
  })
}
