/** How a client wants users shown, as parameters. */

import { boolean, defaulted } from '../../params.ts'

/** The parameters that all of them share. */
export const userViewParams = {
  client_gravatar: defaulted(
    boolean(),
    true,
    'Whether gravatar addresses may be left to the client, as null, where it is told the email address.',
  ),
  include_custom_profile_fields: defaulted(
    boolean(),
    false,
    'Whether `profile_data` is included for people.',
  ),
}

/** The options of `viewUser` for what was asked for. */
export function readUserViewOptions(params: {
  readonly client_gravatar: boolean
  readonly include_custom_profile_fields: boolean
}) {
  return { clientGravatar: params.client_gravatar, hasProfile: params.include_custom_profile_fields }
}
