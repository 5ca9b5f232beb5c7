/** Sends a test notification to one browser or app. */

import { readMailFrame } from '../../../../db/mail/mail-frames.ts'
import { textsIn } from '../../../../server/texts/texts.ts'
import { dropWebPush, findReceiver, noteWebPushAnswers } from '../../../../db/personal/web-push.ts'
import type { PushTestTarget } from '../../../../db/personal/push-tests.ts'
import type { UserId } from '../../../../server/domain/ids.ts'
import type { PushTestOutcome } from '../../../../server/domain/personal/push-devices.ts'
import { encodeNotification } from './declarative-message.ts'
import { postWebPush } from './post-web-push.ts'
import type { WebPushWork } from './web-push-work.ts'

/** Seconds after which nobody looks for a test any more. */
const TEST_TTL_SECONDS = 60

/** Sends a test once; the outcome is the answer of the push service. */
export async function sendWebTest(
  work: WebPushWork,
  userId: UserId,
  { webPushId, organizationName, organizationUrl }: Extract<PushTestTarget, { kind: 'web' }>,
): Promise<PushTestOutcome> {
  const receiver = await findReceiver(work.sql, userId, webPushId)
  if (!receiver) return 'no-device'
  const { t } = textsIn(...(await readMailFrame(work.sql, userId)).languages)
  const result = await postWebPush(await work.openSender(), receiver, {
    plain: encodeNotification({
      title: organizationName,
      body: t('Notifications reach this device.'),
      navigate: `${organizationUrl}/#settings/sessions`,
      tag: 'test',
    }),
    topic: 'test',
    urgency: 'high',
    ttlSeconds: TEST_TTL_SECONDS,
  })
  // The subscription ends if the service no longer knows it.
  if (result.kind === 'gone') await dropWebPush(work.sql, webPushId)
  else if (result.answer !== undefined)
    await noteWebPushAnswers(work.sql, [
      { id: webPushId, isTaken: result.kind === 'taken', answer: result.answer },
    ])
  switch (result.kind) {
    case 'taken':
      return 'sent'
    case 'gone':
      return 'no-device'
    case 'too_long':
    case 'refused':
      return 'refused'
    case 'unsent':
      return 'unreachable'
    case 'later':
      return result.answer === 'no answer' ? 'unreachable' : 'failed'
  }
}
