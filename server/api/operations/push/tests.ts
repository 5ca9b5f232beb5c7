/** Test notifications. */

import type { PushTestTarget } from '../../../../db/personal/push-tests.ts'
import type { User } from '../../../domain/entities.ts'
import type { ErrorName, Fail } from '../../../errors/api-error.ts'
import type { Services } from '../../services.ts'
import { readPushTokens } from '../../../../db/personal/push-tokens.ts'
import { PUSH_TOKEN_LENGTH_MAX } from '../../../domain/limits.ts'
import { checkPerson } from '../../../decisions/check-caller.ts'
import { operation } from '../../operation.ts'
import { id, optional, text } from '../../params.ts'
import { formsOf } from './push-params.ts'
import { findActiveDeviceIds } from '../../../../db/personal/push-devices.ts'
import type { DeviceId } from '../../../domain/ids.ts'

/** Seconds after which a user with too many pending tests may send another: some have ended by then. */
const RETRY_SECONDS = 5

/** The errors of a test. */
export const PUSH_TEST_ERRORS = [
  'NO_ACTIVE_PUSH_DEVICE',
  'PUSH_MISCONFIGURED',
  'PUSH_RELAY_UNREACHABLE',
  'PUSH_RELAY_FAILED',
] as const satisfies readonly ErrorName[]

type Where = PushTestTarget extends infer Target
  ? Target extends unknown
    ? Omit<Target, 'organizationName' | 'organizationUrl'>
    : never
  : never

/** The call that asks for a test. */
interface Testing {
  readonly services: Services
  readonly user: User
  readonly requestId: string
  readonly fail: Fail<(typeof PUSH_TEST_ERRORS)[number] | 'RATE_LIMIT_HIT'>
}

/** Resolves once the relay or the push service has accepted the notification; throws the caller's error otherwise. */
export async function sendPushTest(
  { services, user, requestId, fail }: Testing,
  where: Where,
): Promise<void> {
  const { pushTests, hasPushRelay, state, publicUrl } = services
  if (!hasPushRelay && where.kind !== 'web') throw fail('PUSH_MISCONFIGURED')
  const target = {
    ...where,
    organizationName: state.organization?.name ?? '',
    organizationUrl: publicUrl,
  } as PushTestTarget
  const outcome = await pushTests.send(user.id, target, requestId)
  switch (outcome) {
    case 'sent':
      return
    case 'no-device':
      throw fail('NO_ACTIVE_PUSH_DEVICE')
    case 'refused':
      throw fail('PUSH_MISCONFIGURED')
    case 'unreachable':
      throw fail('PUSH_RELAY_UNREACHABLE')
    case 'failed':
      throw fail('PUSH_RELAY_FAILED')
    case undefined:
      throw fail('RATE_LIMIT_HIT', { retryAfterSeconds: RETRY_SECONDS })
  }
}

/** `POST /mobile_push/test_notification`: sends a notification to the tokens of the caller's older apps. */
export const sendTest = operation({
  method: 'POST',
  path: '/mobile_push/test_notification',
  summary: 'Send a test notification',
  description:
    'Sends a test notification to one token of the caller or to all. The reply follows once the relay has ' +
    'accepted it, or at once if the caller has no tokens.',
  access: 'user',
  isDeprecated: true,
  params: {
    token: optional(text({ lengthMax: PUSH_TOKEN_LENGTH_MAX }), 'The token; all tokens by default.'),
  },
  reply: {},
  errors: ['BOT_REFUSED', 'PUSH_TOKEN_UNKNOWN', ...PUSH_TEST_ERRORS],
  events: [],
  async run({ params, user, services, requestId, fail }) {
    checkPerson({ caller: user, fail })
    const { token } = params
    const tokens = await readPushTokens(
      services.sql,
      user.id,
      token === undefined ? undefined : formsOf(token),
    )
    if (tokens.length === 0) {
      if (token !== undefined) throw fail('PUSH_TOKEN_UNKNOWN')
      return {} // The relay gets all of them.
    }
    await sendPushTest({ services, user, requestId, fail }, { kind: 'tokens', tokens })
    return {}
  },
})

/** `POST /mobile_push/e2ee/test_notification`: sends an encrypted notification to the caller's devices. */
export const sendE2eeTest = operation({
  method: 'POST',
  path: '/mobile_push/e2ee/test_notification',
  summary: 'Send an end-to-end encrypted test notification',
  description: `Sends a test notification to one device of the caller or to all, encrypted with the key of each.
The reply follows once the relay has accepted it. Devices that the relay does not know yet are ignored.`,
  access: 'user',
  params: { device_id: optional(id<DeviceId>(), 'The device; all devices by default.') },
  reply: {},
  errors: ['BOT_REFUSED', ...PUSH_TEST_ERRORS],
  events: [],
  async run({ params, user, services, requestId, fail }) {
    checkPerson({ caller: user, fail })
    const active = await findActiveDeviceIds(services.sql, user.id)
    const deviceIds = active.filter((one) => params.device_id === undefined || one === params.device_id)
    if (deviceIds.length === 0) throw fail('NO_ACTIVE_PUSH_DEVICE')
    await sendPushTest({ services, user, requestId, fail }, { kind: 'devices', deviceIds })
    return {}
  },
})
