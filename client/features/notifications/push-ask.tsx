/** Asks once, after a message was sent, whether this browser may notify its person. */

import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { useApp } from '../../app/app.ts'
import { showError, showToast } from '../../ui/toasts.tsx'
import { findObstacle, keepSubscribed, subscribe } from './web-push.ts'
import { t } from '../../texts/texts.ts'

/** "Not now" counts for 30 days. */
const PAUSE_MS = 30 * 86_400_000

export function PushAsk() {
  const app = useApp()
  const { device, live, api } = app
  const publicKey = useSignal<string | undefined>(undefined)
  const hasSent = useSignal(false)
  const mayAsk =
    hasSent.value &&
    findObstacle() === undefined &&
    Notification.permission === 'default' &&
    Date.now() - device.pushDeclinedAtMs.value > PAUSE_MS
  useEffect(
    () =>
      live.listen((update) => {
        // Only the page that sent a message gets its own mark back.
        if (update.kind === 'event' && update.event.type === 'message' && update.event.local_message_id)
          hasSent.value = true
      }),
    [live],
  )
  useEffect(() => {
    // A browser that has a subscription may need another one.
    keepSubscribed(app).catch(() => undefined)
  }, [app])
  useEffect(() => {
    if (!mayAsk || publicKey.peek() !== undefined) return
    api.call('GET /users/me/web_push').then(
      ({ public_key: key }) => (publicKey.value = key ?? undefined),
      () => undefined, // Nobody waits for this question.
    )
  }, [mayAsk])
  const key = publicKey.value
  if (key === undefined || device.pushDeclinedAtMs.value + PAUSE_MS > Date.now()) return null
  const decline = () => (device.pushDeclinedAtMs.value = Date.now())
  const allow = () => {
    publicKey.value = undefined
    subscribe(app, key).then((isAllowed) => {
      if (isAllowed) {
        device.getsPush.value = true
        showToast(t('Notifications are on'))
      } else decline()
    }, showError)
  }
  return (
    <div class="factor-note question" role="status">
      <span>{t('Get notified about replies when this page is closed?')}</span>
      <button class="button primary" onClick={allow}>
        {t('Turn on')}
      </button>
      <button class="button" onClick={decline}>
        {t('Not now')}
      </button>
    </div>
  )
}
