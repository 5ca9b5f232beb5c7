/** The parameters for the form of users. */

import { boolean, defaulted } from '../../params.ts'

/** The shared parameters. */
export const userViewParams = {
  client_gravatar: defaulted(
    boolean(),
    true,
    'Whether gravatar addresses may be null, for clients that compute them from a visible email address.',
  ),
  include_custom_profile_fields: defaulted(
    boolean(),
    false,
    'Whether `profile_data` is included for people.',
  ),
}

/** The options of `viewUser` from the parameters. */
export function readUserViewOptions(params: {
  readonly client_gravatar: boolean
  readonly include_custom_profile_fields: boolean
}) {
  return { clientGravatar: params.client_gravatar, hasProfile: params.include_custom_profile_fields }
}
