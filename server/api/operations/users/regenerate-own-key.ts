/** `POST /users/me/api_key/regenerate`. */

import { replaceApiKeys } from '../../../changes/users/replace-api-keys.ts'
import { operation } from '../../operation.ts'
import { STRING } from '../../../domain/json-schema.ts'

export const regenerateOwnKey = operation({
  method: 'POST',
  path: '/users/me/api_key/regenerate',
  summary: 'Make own API key anew',
  description:
    'Earlier keys are no longer valid, nor are tickets that were made with them, and devices that had them are sent ' +
    'nothing any more: they register anew. Event queues stay. Bots may call it, too.',
  access: 'user',
  params: {},
  reply: { api_key: { schema: STRING, description: 'The key, which the server cannot tell again.' } },
  errors: [],
  events: ['api_keys_changed', 'device/remove'],
  async run({ user, services }) {
    return { api_key: await replaceApiKeys(services, user.id) }
  },
})
