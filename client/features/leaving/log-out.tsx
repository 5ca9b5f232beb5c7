/** The log-out: it leaves nothing on the device, and asks first where something is unsent. */

import { render } from 'preact'
import type { ParleyClient } from '../../../packages/client/src/index.ts'
import type { App } from '../../app/app.ts'
import { findUnsent, isAllSent, clearLocalData } from '../../app/clear-local-data.ts'
import { Confirm } from '../../ui/confirm.tsx'
import { unsentText } from './unsent-text.ts'
import { t } from '../../texts/texts.ts'

/** Logs out; calls `onLoggedOut` when the session has ended, and shows the page anew. Rejects if the server refuses. */
export async function logOut(app: App, api: ParleyClient, onLoggedOut: () => void): Promise<void> {
  const leave = async () => {
    await api.call('POST /logout')
    onLoggedOut()
    await clearLocalData(app, '/')
  }
  const unsent = await findUnsent(app)
  if (isAllSent(unsent)) return leave()
  const place = document.body.appendChild(document.createElement('div'))
  const close = () => {
    render(null, place)
    place.remove()
  }
  render(
    <Confirm
      title={t('Log out without sending?')}
      action={t('Log out and delete')}
      onConfirm={leave}
      onClose={close}
    >
      <p>
        {t(
          '{count, plural, one {{things} is} other {{things} are}} only on this device. Logging out deletes anything unsent.',
          unsentText(unsent),
        )}
      </p>
    </Confirm>,
    place,
  )
}
