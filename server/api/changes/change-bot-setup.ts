/** How a bot is set up otherwise, as a request wants it. */

import type { BotSetup } from '../../domain/bots.ts'
import type { User } from '../../domain/entities.ts'
import type { NewEvent } from '../../domain/events.ts'
import type { OrganizationState } from '../../state/organization-state.ts'
import type { ErrorName, Fail } from '../../errors/api-error.ts'
import { optional, type ValuesOf } from '../params.ts'
import {
  DEFAULT_CHANNEL_PARAMS,
  INTERFACE_MEANING,
  interfaceType,
  payloadUrlType,
  readDefaultChannels,
  readInterface,
} from '../operations/bots/bot-params.ts'
import { setupChanged, tellBotChange } from '../../decisions/bots/tell-bots.ts'

/** What of a setup may become another. */
export const SETUP_PARAMS = {
  service_payload_url: optional(payloadUrlType, 'For outgoing webhooks: where messages go.'),
  service_interface: optional(interfaceType, INTERFACE_MEANING),
  ...DEFAULT_CHANNEL_PARAMS,
}
type Wishes = ValuesOf<typeof SETUP_PARAMS>

export const SETUP_ERRORS = [
  'BOT_SERVICE_MISSING',
  'BOT_INTERFACE_UNKNOWN',
  'CHANNEL_NAME_UNKNOWN',
] as const satisfies readonly ErrorName[]

/** The events of it; what is as before is told to nobody. */
export function changeBotSetup(
  wishes: Wishes,
  bot: User,
  caller: User,
  state: OrganizationState,
  fail: Fail<(typeof SETUP_ERRORS)[number]>,
): NewEvent[] {
  const before = state.botSetupOf(bot.id)
  const service = changeService(wishes, before, fail)
  const setup: BotSetup = { ...before, service, ...readDefaultChannels(wishes, caller, state, fail) }
  const isSame =
    service?.url === before.service?.url &&
    service?.interface === before.service?.interface &&
    setup.sendingChannelId === before.sendingChannelId &&
    setup.eventsChannelId === before.eventsChannelId &&
    setup.hearsPublicChannels === before.hearsPublicChannels
  return isSame ? [] : [setupChanged(bot.id, setup), ...tellBotChange(state, bot, { setup })]
}

/** The token stays, by which the service knows the server. */
function changeService(
  { service_payload_url: url, service_interface: number }: Wishes,
  { service }: BotSetup,
  fail: Fail<(typeof SETUP_ERRORS)[number]>,
): BotSetup['service'] {
  if (url === undefined && number === undefined) return service
  if (!service) throw fail('BOT_SERVICE_MISSING')
  return {
    ...service,
    ...(url === undefined ? {} : { url }),
    ...(number === undefined ? {} : { interface: readInterface(number, fail) }),
  }
}
