/** Sends a test notification through the relay, once, and reports the result to the waiting request. */

import { noteDeviceAnswer, noteTokenAnswer } from '../../../db/personal/phones.ts'
import { readActiveDevices } from '../../../db/personal/push-devices.ts'
import { claimPushTest, type PushTestTarget, settlePushTest } from '../../../db/personal/push-tests.ts'
import type { UserId } from '../../../server/domain/ids.ts'
import type { PushTestOutcome } from '../../../server/domain/personal/push-devices.ts'
import { canPush, dropLost, requestFor } from './notify-devices.ts'
import { noteRelayAnswer, noteRelayReach } from './note-relay-answer.ts'
import { hasRelay, type PushContext, type RelayContext } from './push-context.ts'
import { callRelay, phoneAnswerOf, type RelayAnswer } from './push-relay.ts'
import { TOKEN_KIND_NUMBERS } from './register-tokens.ts'
import { sendWebTest } from './web/send-web-test.ts'

/** The relay's code for a token that was never registered. */
const UNKNOWN_TOKEN_CODE = 'INVALID_REMOTE_PUSH_DEVICE_TOKEN'

type TargetOf<Kind extends PushTestTarget['kind']> = Extract<PushTestTarget, { kind: Kind }>

/** Sends a test, unless another worker has done so, or no request waits for it any more. */
export async function sendPushTest(context: PushContext, testId: string): Promise<void> {
  const claimed = await claimPushTest(context.sql, testId)
  if (!claimed) return
  const { userId, target } = claimed
  let outcome: PushTestOutcome = 'failed'
  try {
    outcome = await sendTo(context, userId, target)
  } finally {
    await settlePushTest(context.sql, testId, outcome)
  }
}

async function sendTo(
  context: PushContext,
  userId: UserId,
  target: PushTestTarget,
): Promise<PushTestOutcome> {
  if (target.kind === 'web') return context.web ? sendWebTest(context.web, userId, target) : 'refused'
  if (!hasRelay(context)) return 'refused'
  return target.kind === 'devices'
    ? sendToDevices(context, userId, target)
    : sendToTokens(context, userId, target)
}

async function sendToDevices(
  context: RelayContext,
  userId: UserId,
  { deviceIds, organizationName, organizationUrl }: TargetOf<'devices'>,
): Promise<PushTestOutcome> {
  const { sql, relay, organizationId } = context
  const devices = await readActiveDevices(sql, userId, deviceIds)
  if (devices.length === 0) return 'no-device'
  const content = {
    type: 'test',
    realm_name: organizationName,
    realm_url: organizationUrl,
    user_id: userId,
    time: Math.floor(Date.now() / 1000),
  }
  const answer = await callRelay(relay, 'e2ee/notify', {
    realm_uuid: organizationId,
    push_requests: devices.map((device) => requestFor(device, 'message', content)),
  })
  const ids = devices.map(({ id }) => id)
  await noteDeviceAnswer(sql, ids, phoneAnswerOf(answer))
  if (answer.kind !== 'done') {
    await noteRelayReach(context, answer)
    return outcomeOf(answer)
  }
  const isLost = await dropLost(context, { userId, devices }, answer)
  await noteRelayAnswer(context, canPush(answer.body))
  if (isLost) return 'no-device'
  const { android_successfully_sent_count, apple_successfully_sent_count } = answer.body
  return android_successfully_sent_count === 0 && apple_successfully_sent_count === 0 ? 'failed' : 'sent'
}

async function sendToTokens(
  context: RelayContext,
  userId: UserId,
  { tokens, organizationName, organizationUrl }: TargetOf<'tokens'>,
): Promise<PushTestOutcome> {
  const { sql, relay, organizationId } = context
  const content = {
    event: 'test',
    realm_name: organizationName,
    realm_url: organizationUrl,
    realm_uri: organizationUrl,
    user_id: userId,
    time: Math.floor(Date.now() / 1000),
  }
  const answers = await Promise.all(
    tokens.map(async (one) => {
      const answer = await callRelay(relay, 'test_notification', {
        realm_uuid: organizationId,
        realm_name: organizationName,
        user_id: userId,
        token: one.token,
        token_kind: TOKEN_KIND_NUMBERS[one.kind],
        base_payload: content,
      })
      await noteTokenAnswer(sql, userId, [one], phoneAnswerOf(answer))
      return answer
    }),
  )
  for (const answer of answers) await noteRelayReach(context, answer)
  // A test is successful if one notification arrived; otherwise the first failure is the result.
  const outcomes = answers.map(outcomeOf)
  return outcomes.find((one) => one === 'sent') ?? outcomes[0] ?? 'no-device'
}

function outcomeOf(answer: RelayAnswer): PushTestOutcome {
  switch (answer.kind) {
    case 'done':
      return 'sent'
    case 'invalid':
      return answer.code === UNKNOWN_TOKEN_CODE ? 'no-device' : 'refused'
    case 'refused':
    case 'unreachable':
    case 'failed':
      return answer.kind
  }
}
