/** `GET /bots`. */

import { OWN_BOT, viewOwnBot } from '../../../views/bot-view.ts'
import { operation } from '../../operation.ts'
import { arrayOf } from '../../../domain/json-schema.ts'

export const getBots = operation({
  method: 'GET',
  path: '/bots',
  summary: 'Get own bots',
  description:
    'Those that are active. Keys are kept as hashes: `api_key` is empty, and a new one can be made.',
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
