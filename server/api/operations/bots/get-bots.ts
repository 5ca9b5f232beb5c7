/** `GET /bots`. */

import { OWN_BOT, viewOwnBot } from '../../../views/bot-view.ts'
import { operation } from '../../operation.ts'
import { arrayOf } from '../../../domain/json-schema.ts'

export const getBots = operation({
  method: 'GET',
  path: '/bots',
  summary: 'Get own bots',
  description:
    'Active bots only. Keys are stored as hashes, so `api_key` is empty; a new key can be created.',
  access: 'user',
  params: {},
  reply: { bots: { schema: arrayOf(OWN_BOT), description: 'The bots, by id.' } },
  errors: [],
  events: [],
  run({ user, services: { state } }) {
    const bots = [...state.users.values()].filter((bot) => bot.botOwnerId === user.id && bot.isActive)
    return { bots: bots.map((bot) => viewOwnBot(bot, user, state)) }
  },
})
