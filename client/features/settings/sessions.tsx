/** The own log-in sessions, each of which can be ended. */

import { describeClient } from '../../../packages/rules/describe-client.ts'
import { useApp } from '../../app/app.ts'
import { sayProblem } from '../../ui/toasts.tsx'
import { fullTime, shortTime } from '../../ui/times.ts'
import { Waiting } from '../../ui/waiting.tsx'
import { useLoaded } from './use-loaded.ts'

export function Sessions() {
  const { api, minute } = useApp()
  const { value, problem, reload } = useLoaded(() => api.call('GET /users/me/sessions'))
  if (problem !== undefined) return <p class="problem">{problem}</p>
  if (!value) return <Waiting text="Loading your sessions…" />
  const end = (change: Promise<unknown>) => void change.then(reload, sayProblem)
  const others = value.sessions.filter(({ is_current }) => !is_current)
  return (
    <section class="settings-part">
      <h2>Log-in sessions</h2>
      <p class="quiet-text">The browsers in which you are logged in. End those that you do not recognize.</p>
      <ul class="cards">
        {value.sessions.map((one) => (
          <li key={one.id} class="card">
            <div class="card-text">
              <b title={one.client}>{describeClient(one.client)}</b>
              <small>
                {one.address} · {one.is_current ? 'this browser' : 'seen '}
                {!one.is_current && (
                  <time title={fullTime(one.last_seen_at)}>{shortTime(one.last_seen_at, minute.value)}</time>
                )}
                {' · logged in '}
                <time title={fullTime(one.created_at)}>{shortTime(one.created_at, minute.value)}</time>
              </small>
            </div>
            {!one.is_current && (
              <button
                class="button"
                onClick={() =>
                  end(api.call('DELETE /users/me/sessions/{session_id}', { session_id: one.id }))
                }
              >
                End
              </button>
            )}
          </li>
        ))}
      </ul>
      {others.length > 0 && (
        <div class="actions start">
          <button class="button danger" onClick={() => end(api.call('DELETE /users/me/sessions'))}>
            End all other sessions
          </button>
        </div>
      )}
    </section>
  )
}
