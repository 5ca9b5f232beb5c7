/** Notifications on devices, and the own log-in sessions, each of which can be ended. */

import { useApp } from '../../app/app.ts'
import { DoNotDisturb } from './do-not-disturb.tsx'
import { showError } from '../../ui/toasts.tsx'
import { fullTime, shortTime } from '../../ui/times.ts'
import { Waiting } from '../../ui/waiting.tsx'
import { PushDevices } from './push-devices.tsx'
import { ReachNote } from './reach-note.tsx'
import { useLoaded } from '../../ui/use-loaded.ts'
import { t } from '../../texts/texts.ts'
import { Text } from '../../texts/text.tsx'

export function Sessions() {
  const { api } = useApp()
  const { value, problem, reload } = useLoaded(() => api.call('GET /users/me/web_push'))
  return (
    <>
      {value && <ReachNote webPushes={value} />}
      <DoNotDisturb />
      {problem !== undefined && <p class="problem">{problem}</p>}
      {value && <PushDevices webPushes={value} reload={reload} />}
      <LogIns />
    </>
  )
}

function LogIns() {
  const { api, minute } = useApp()
  const { value, problem, reload } = useLoaded(() => api.call('GET /users/me/sessions'))
  if (problem !== undefined) return <p class="problem">{problem}</p>
  if (!value) return <Waiting text={t('Loading devices…')} />
  const end = (change: Promise<unknown>) => void change.then(reload, showError)
  const others = value.sessions.filter(({ is_current }) => !is_current)
  return (
    <section class="settings-part">
      <h2>{t('Devices')}</h2>
      <p class="quiet-text">{t('Browsers where you’re logged in. Log out any you don’t recognize.')}</p>
      <ul class="cards">
        {value.sessions.map((one) => (
          <li key={one.id} class="card">
            <div class="card-text">
              <b title={one.client}>{one.client_name}</b>
              <small>
                {one.address} ·{' '}
                {one.is_current ? (
                  t('this browser')
                ) : (
                  <Text
                    of="seen <0/>"
                    parts={[
                      <time title={fullTime(one.last_seen_at)}>
                        {shortTime(one.last_seen_at, minute.value)}
                      </time>,
                    ]}
                  />
                )}
                {' · '}
                <Text
                  of="logged in <0/>"
                  parts={[
                    <time title={fullTime(one.created_at)}>{shortTime(one.created_at, minute.value)}</time>,
                  ]}
                />
              </small>
            </div>
            {!one.is_current && (
              <button
                class="button"
                onClick={() =>
                  end(api.call('DELETE /users/me/sessions/{session_id}', { session_id: one.id }))
                }
              >
                {t('Log out')}
              </button>
            )}
          </li>
        ))}
      </ul>
      {others.length > 0 && (
        <div class="actions start">
          <button class="button danger" onClick={() => end(api.call('DELETE /users/me/sessions'))}>
            {t('Log out all other devices')}
          </button>
        </div>
      )}
    </section>
  )
}
