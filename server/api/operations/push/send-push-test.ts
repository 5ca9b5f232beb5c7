/** Sends a test push notification, and fails if the relay does not accept it. */

import type { PushTestTarget } from '../../../../db/personal/push-tests.ts'
import type { User } from '../../../domain/entities.ts'
import type { ErrorName, Fail } from '../../../errors/api-error.ts'
import type { Services } from '../../services.ts'

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

/** Resolves once the relay has accepted the notification; throws the caller's error otherwise. */
export async function sendPushTest(
  { services, user, requestId, fail }: Testing,
  where: Where,
): Promise<void> {
  const { pushTests, hasPushRelay, state, publicUrl } = services
  if (!hasPushRelay) throw fail('PUSH_MISCONFIGURED')
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
