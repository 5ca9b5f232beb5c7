/** The browsers and apps that get notifications while no page is open. */

import { useSignal } from '@preact/signals'
import { useApp } from '../../app/app.ts'
import { findObstacle, type PushObstacle, subscribe, unsubscribe } from '../notifications/web-push.ts'
import { isSuccess } from '../../store/derived/reach.ts'
import { showError, showToast } from '../../ui/toasts.tsx'
import { fullTime, shortTime } from '../../ui/times.ts'
import { t } from '../../texts/texts.ts'
import { Text } from '../../texts/text.tsx'

const OBSTACLES: Readonly<Record<PushObstacle, string>> = {
  unsupported: t('This browser can’t show notifications here.'),
  not_installed: t('Add this page to your home screen first: tap Share, then “Add to Home Screen”.'),
  blocked: t('Notifications are blocked. Allow them for this page in the settings of your browser.'),
  turned_off: t('Your server has turned these notifications off.'),
}

interface Subscription {
  readonly id: number
  readonly client: string
  readonly client_name: string
  readonly created_at: number
  readonly last_success_at: number | null
  readonly last_answer: string | null
  readonly is_current: boolean
}

interface Phone {
  readonly device_id: number | null
  readonly kind: string
  readonly registered_at: number
  readonly is_registered: boolean
  readonly last_success_at: number | null
  readonly last_answer: string | null
}

/** The key of the server, null if it sends no web push, the devices of the person, and whether emails arrive. */
export interface WebPushes {
  readonly public_key: string | null
  readonly subscriptions: readonly Subscription[]
  readonly phones: readonly Phone[]
  readonly email: Pick<Subscription, 'last_success_at' | 'last_answer'>
}

interface PushDevicesProps {
  readonly webPushes: WebPushes
  readonly reload: () => void
}

export function PushDevices({ webPushes, reload }: PushDevicesProps) {
  const app = useApp()
  const { api, device } = app
  const isBusy = useSignal(false)
  const { public_key: publicKey, subscriptions, phones } = webPushes
  const run = (task: Promise<unknown>) => {
    isBusy.value = true
    // A failed test shows its answer, too.
    task.catch(showError).finally(() => {
      isBusy.value = false
      reload()
    })
  }
  const turnOn = async (key: string) => {
    device.getsPush.value = await subscribe(app, key)
    if (!device.getsPush.value) showError(new Error(OBSTACLES.blocked))
  }
  const remove = async ({ id, is_current }: Subscription) => {
    if (is_current) {
      device.getsPush.value = false
      await unsubscribe()
    }
    await api.call('DELETE /users/me/web_push/{web_push_id}', { web_push_id: id })
  }
  const test = async ({ id }: Subscription) => {
    await api.call('POST /users/me/web_push/{web_push_id}/test', { web_push_id: id })
    showToast(t('Test notification sent'))
  }
  const testPhone = async ({ device_id }: Phone) => {
    if (device_id === null) await api.call('POST /mobile_push/test_notification', {})
    else await api.call('POST /mobile_push/e2ee/test_notification', { device_id })
    showToast(t('Test notification sent'))
  }
  const isOn = subscriptions.some(({ is_current }) => is_current)
  const obstacle = publicKey === null ? 'turned_off' : findObstacle()
  return (
    <section class="settings-part">
      <h2>{t('Notifications')}</h2>
      <p class="quiet-text">{t('Browsers and apps that get notifications while Parley isn’t open.')}</p>
      {subscriptions.length === 0 && phones.length === 0 && <p class="quiet-text">{t('No devices yet')}</p>}
      <ul class="cards">
        {subscriptions.map((one) => (
          <DeviceCard
            key={one.id}
            device={one}
            isBusy={isBusy.value}
            onTest={() => run(test(one))}
            onRemove={() => run(remove(one))}
          />
        ))}
        {phones.map((one, index) => (
          <PhoneCard
            key={one.device_id ?? `older ${index}`}
            phone={one}
            isBusy={isBusy.value}
            onTest={() => run(testPhone(one))}
          />
        ))}
      </ul>
      {!isOn && obstacle !== undefined && <p class="quiet-text">{OBSTACLES[obstacle]}</p>}
      {!isOn && obstacle === undefined && publicKey !== null && (
        <div class="actions start">
          <button class="button primary" disabled={isBusy.value} onClick={() => run(turnOn(publicKey))}>
            {t('Turn on for this browser')}
          </button>
        </div>
      )}
    </section>
  )
}

interface DeviceCardProps {
  readonly device: Subscription
  readonly isBusy: boolean
  readonly onTest: () => void
  readonly onRemove: () => void
}

function DeviceCard({ device, isBusy, onTest, onRemove }: DeviceCardProps) {
  return (
    <li class="card">
      <div class="card-text">
        <b title={device.client}>{device.client_name}</b>
        <small>
          {device.is_current && `${t('this browser')} · `}
          <Reached {...device} />
        </small>
      </div>
      <button class="button" disabled={isBusy} onClick={onTest}>
        {t('Send test')}
      </button>
      <button class="button" disabled={isBusy} onClick={onRemove}>
        {t('Turn off')}
      </button>
    </li>
  )
}

interface PhoneCardProps {
  readonly phone: Phone
  readonly isBusy: boolean
  readonly onTest: () => void
}

/** A phone of a mobile app, which is turned off in the app. */
function PhoneCard({ phone, isBusy, onTest }: PhoneCardProps) {
  return (
    <li class="card">
      <div class="card-text">
        <b>{phone.kind === 'apns' ? t('iPhone or iPad') : t('Android phone')}</b>
        <small>{phone.is_registered ? <Reached {...phone} isPhone /> : t('being registered')}</small>
      </div>
      {phone.is_registered && (
        <button class="button" disabled={isBusy} onClick={onTest}>
          {t('Send test')}
        </button>
      )}
    </li>
  )
}

interface ReachedProps extends Pick<Subscription, 'last_success_at' | 'last_answer'> {
  readonly isPhone?: boolean
}

/** When the device was reached, and why it was not. */
function Reached({ last_success_at: at, last_answer: answer, isPhone = false }: ReachedProps) {
  const { minute } = useApp()
  const isWell = answer === null || isSuccess(answer)
  return (
    <>
      {at === null ? (
        t('not reached yet')
      ) : (
        <Text of="reached <0/>" parts={[<time title={fullTime(at)}>{shortTime(at, minute.value)}</time>]} />
      )}
      {!isWell && (
        <>
          {' · '}
          {isPhone
            ? t('last answer of the push relay: {answer}', { answer })
            : t('last answer of its push service: {answer}', { answer })}
        </>
      )}
    </>
  )
}
