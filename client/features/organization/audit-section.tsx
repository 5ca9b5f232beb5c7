/** The audit log: who changed what, and when. For owners. */

import { useSignal } from '@preact/signals'
import { useEffect, useId } from 'preact/hooks'
import type { ParamsOf } from '../../../packages/client/src/client.ts'
import { useApp, useState } from '../../app/app.ts'
import { nameOf, usersById } from '../../store/derived/users.ts'
import { problemText } from '../../ui/toasts.tsx'
import { dayAndTime } from '../../ui/day-and-time.ts'
import { Waiting } from '../../ui/waiting.tsx'
import { AUDIT_KIND_GROUPS, type AuditEntry, type AuditKind } from './audit-kinds.ts'
import { describeAudit } from './audit-words.ts'

const PAGE = 50

export function AuditSection() {
  const { api } = useApp()
  const state = useState()
  const actor = useSignal('')
  const group = useSignal('')
  const entries = useSignal<readonly AuditEntry[]>([])
  const foundOldest = useSignal(false)
  const isLoading = useSignal(true)
  const problem = useSignal('')
  const id = useId()
  const load = async (before: AuditEntry | undefined, signal?: AbortSignal) => {
    const kinds = AUDIT_KIND_GROUPS.find((one) => one.id === group.value)?.kinds
    const params: ParamsOf<'GET /realm/audit_log'> = {
      limit: PAGE,
      ...(actor.value === '' ? {} : { acting_user_id: Number(actor.value) }),
      ...(kinds === undefined ? {} : { kinds: kinds as readonly AuditKind[] }),
      ...(before === undefined ? {} : { before_id: before.id }),
    }
    isLoading.value = true
    problem.value = ''
    try {
      const reply = await api.callWith(
        { signal: signal ?? new AbortController().signal },
        'GET /realm/audit_log',
        params,
      )
      if (signal?.aborted) return
      entries.value = before === undefined ? reply.entries : [...entries.value, ...reply.entries]
      foundOldest.value = reply.found_oldest
    } catch (error) {
      if (!signal?.aborted) problem.value = problemText(error)
    } finally {
      if (!signal?.aborted) isLoading.value = false
    }
  }
  useEffect(() => {
    const stop = new AbortController()
    entries.value = []
    void load(undefined, stop.signal)
    return () => stop.abort()
  }, [actor.value, group.value])
  const people = [...usersById(state).values()].toSorted((a, b) => a.full_name.localeCompare(b.full_name))
  return (
    <section class="settings-part" aria-labelledby="audit">
      <h2 id="audit">Audit log</h2>
      <p class="quiet-text">
        Changes to the organization, its people, channels, groups and invitations over the last two years.
        Message text isn’t recorded.
      </p>
      <div class="setting-grid">
        <div class="field">
          <label for={`${id}-actor`}>By</label>
          <select
            id={`${id}-actor`}
            value={actor.value}
            onChange={(event) => (actor.value = event.currentTarget.value)}
          >
            <option value="">Everyone</option>
            {people.map((user) => (
              <option key={user.user_id} value={String(user.user_id)}>
                {user.full_name}
              </option>
            ))}
          </select>
        </div>
        <div class="field">
          <label for={`${id}-group`}>About</label>
          <select
            id={`${id}-group`}
            value={group.value}
            onChange={(event) => (group.value = event.currentTarget.value)}
          >
            <option value="">Everything</option>
            {AUDIT_KIND_GROUPS.map((one) => (
              <option key={one.id} value={one.id}>
                {one.name}
              </option>
            ))}
          </select>
        </div>
      </div>
      <ol class="audit">
        {entries.value.map((entry) => (
          <li key={entry.id} class="card">
            <div class="card-text">
              <span dir="auto">
                <strong>{actorName(entry, (userId) => nameOf(state, userId))}</strong>{' '}
                {describeAudit(state, entry)}
              </span>
              <small>
                <time dateTime={new Date(entry.timestamp * 1000).toISOString()}>
                  {dayAndTime(entry.timestamp)}
                </time>
              </small>
            </div>
          </li>
        ))}
      </ol>
      {problem.value !== '' && (
        <p class="problem" role="alert">
          {problem.value}
        </p>
      )}
      {isLoading.value && <Waiting text="Loading audit log…" />}
      {!isLoading.value && entries.value.length === 0 && problem.value === '' && (
        <p class="empty">No matching entries</p>
      )}
      {!isLoading.value && !foundOldest.value && (
        <p>
          <button class="button" onClick={() => void load(entries.value.at(-1))}>
            Load more
          </button>
        </p>
      )}
    </section>
  )
}

function actorName(entry: AuditEntry, name: (userId: number) => string): string {
  if (entry.acting_user_id !== null) return name(entry.acting_user_id)
  return entry.actor === 'server' ? 'The server' : 'Someone'
}
