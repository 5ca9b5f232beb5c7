/** Changing how a bot is set up. */

import { type BotSetup, SERVICE_INTERFACES, type ServiceInterface } from '../../domain/users/bots.ts'
import type { User } from '../../domain/entities.ts'
import type { Fact } from '../../domain/events.ts'
import type { Scope } from '../scope.ts'
import { type DefaultChannelNames, findDefaultChannels } from './default-channels.ts'

/** Changes of a setup; undefined stays. */
export interface BotSetupChange {
  readonly payloadUrl: string | undefined
  /** A number, which may not stand for an interface. */
  readonly serviceInterface: number | undefined
  readonly channels: DefaultChannelNames
  /** Null removes it. */
  readonly webhookSecret: string | null | undefined
}

/** How changing a setup can fail. */
export const SETUP_ERRORS = ['BOT_SERVICE_MISSING', 'BOT_INTERFACE_UNKNOWN', 'CHANNEL_NAME_UNKNOWN'] as const
type SetupScope = Scope<(typeof SETUP_ERRORS)[number]>

/** Changes a bot's setup; a setup that stays the same sends no event. */
export function changeBotSetup(scope: SetupScope, bot: User, change: BotSetupChange): Fact[] {
  const before = scope.state.botSetupOf(bot.id)
  const service = changeService(scope, before, change)
  const { webhookSecret = before.webhookSecret } = change
  const setup: BotSetup = {
    ...before,
    service,
    webhookSecret,
    ...findDefaultChannels(scope, change.channels),
  }
  const isSame =
    service?.url === before.service?.url &&
    service?.interface === before.service?.interface &&
    setup.sendingChannelId === before.sendingChannelId &&
    setup.eventsChannelId === before.eventsChannelId &&
    setup.hearsPublicChannels === before.hearsPublicChannels &&
    (setup.webhookSecret ?? null) === (before.webhookSecret ?? null)
  return isSame ? [] : [{ type: 'bot_setup_changed', botId: bot.id, setup }]
}

/** The token stays: the service knows the server by it. */
function changeService(
  scope: SetupScope,
  { service }: BotSetup,
  { payloadUrl: url, serviceInterface: number }: BotSetupChange,
): BotSetup['service'] {
  if (url === undefined && number === undefined) return service
  if (!service) throw scope.fail('BOT_SERVICE_MISSING')
  return {
    ...service,
    ...(url === undefined ? {} : { url }),
    ...(number === undefined ? {} : { interface: findInterface(scope, number) }),
  }
}

/** The interface of outgoing webhooks that has a number. */
export function findInterface(
  { fail }: Pick<Scope<'BOT_INTERFACE_UNKNOWN'>, 'fail'>,
  number: number,
): ServiceInterface {
  const found = Object.values(SERVICE_INTERFACES).find((one) => one === number)
  if (found === undefined) throw fail('BOT_INTERFACE_UNKNOWN')
  return found
}
