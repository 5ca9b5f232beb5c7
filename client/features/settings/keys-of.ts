/** The operations on keys of programs, for the person's own and for those of a bot. */

import type { ParamsOf, ReplyOf } from '../../../packages/client/src/client.ts'
import type { App } from '../../app/app.ts'

export type ProgramKey = ReplyOf<'GET /users/me/keys'>['keys'][number]
export type NewKeyFields = ParamsOf<'POST /users/me/keys'>

export interface Keys {
  readonly list: () => Promise<ReplyOf<'GET /users/me/keys'>>
  readonly create: (fields: NewKeyFields) => Promise<ReplyOf<'POST /users/me/keys'>>
  readonly revoke: (id: string) => Promise<unknown>
}

export function keysOf(api: App['api'], botId: number | undefined): Keys {
  if (botId === undefined)
    return {
      list: () => api.call('GET /users/me/keys'),
      create: (fields) => api.call('POST /users/me/keys', fields),
      revoke: (id) => api.call('DELETE /users/me/keys/{key_id}', { key_id: id }),
    }
  return {
    list: () => api.call('GET /bots/{bot_id}/keys', { bot_id: botId }),
    create: (fields) => api.call('POST /bots/{bot_id}/keys', { bot_id: botId, ...fields }),
    revoke: (id) => api.call('DELETE /bots/{bot_id}/keys/{key_id}', { bot_id: botId, key_id: id }),
  }
}
