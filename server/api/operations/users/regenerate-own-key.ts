/** `POST /users/me/api_key/regenerate`. */

import { replaceApiKeys } from '../../../changes/users/replace-api-keys.ts'
import { endOtherSessions } from '../../log-in-session.ts'
import { operation } from '../../operation.ts'
import { KEY_PROOF_ERRORS, PROOF_PARAMS, proveForKey } from '../../prove-caller.ts'
import { STRING } from '../../../domain/json-schema.ts'

export const regenerateOwnKey = operation({
  method: 'POST',
  path: '/users/me/api_key/regenerate',
  summary: 'Regenerate own API key',
  description:
    'Earlier keys and their tickets become invalid. Devices that used them get no more notifications until ' +
    'they register again. Event queues stay. It ends all other sessions of the caller; that of the request goes ' +
    'on with new cookies. Within a session it needs a proof: the password, with a code if there is an app, or a ' +
    'log-in within the last ten minutes. With an API key it needs none, so bots can call it, too.',
  access: 'user',
  passwordParam: 'password',
  params: PROOF_PARAMS,
  reply: { api_key: { schema: STRING, description: 'The key, which the server cannot show again.' } },
  errors: KEY_PROOF_ERRORS,
  events: ['api_keys_changed', 'device/remove', 'login_sessions_changed'],
  async run({ user, visit, params, services, fail }) {
    await proveForKey(services, { user, visit, params }, fail)
    const apiKey = await replaceApiKeys(services, user.id, user.id)
    await endOtherSessions(services, visit, user)
    return { api_key: apiKey }
  },
})
