/** `POST /users/me/api_key/regenerate`. */

import { replaceApiKeys } from '../../../changes/users/replace-api-keys.ts'
import { operation } from '../../operation.ts'
import { STRING } from '../../../domain/json-schema.ts'

export const regenerateOwnKey = operation({
  method: 'POST',
  path: '/users/me/api_key/regenerate',
  summary: 'Regenerate own API key',
  description:
    'Earlier keys and their tickets become invalid. Devices that used them get no more notifications until ' +
    'they register again. Event queues stay. Bots can call it, too.',
  access: 'user',
  params: {},
  reply: { api_key: { schema: STRING, description: 'The key, which the server cannot show again.' } },
  errors: [],
  events: ['api_keys_changed', 'device/remove'],
  async run({ user, services }) {
    return { api_key: await replaceApiKeys(services, user.id, user.id) }
  },
})
