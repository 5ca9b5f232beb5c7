/** The audit log: who changed what, and when. For owners. */

import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { ParamsOf } from '../../../packages/client/src/client.ts'
import { useApp, useState } from '../../app/app.ts'
import { nameOf, usersById } from '../../store/derived/users.ts'
import { problemText } from '../../ui/toasts.tsx'
import { dayAndTime } from '../../ui/day-and-time.ts'
import { SelectField } from '../../ui/fields.tsx'
import { Waiting } from '../../ui/waiting.tsx'
import { AUDIT_KIND_GROUPS, type AuditEntry, type AuditKind } from './audit-kinds.ts'
import { describeAudit } from './audit-words.ts'
import { t } from '../../texts/texts.ts'

const PAGE = 50

/** The path may name a group of kinds: `#organization/audit/legal-holds`. */
export function AuditSection({ path }: { readonly path: readonly string[] }) {
  const state = useState()
  const actor = useSignal('')
  const group = useSignal(AUDIT_KIND_GROUPS.find((one) => one.id === path[0])?.id ?? '')
  const log = useAuditLog(actor.value, group.value)
  const entries = log.entries.value
  const people = [...usersById(state).values()].toSorted((a, b) => a.full_name.localeCompare(b.full_name))
  return (
    <section class="settings-part" aria-labelledby="audit">
      <h2 id="audit">{t('Audit log')}</h2>
      <p class="quiet-text">
        {t(
          'Changes to the organization, its people, channels, groups and invitations over the last two years. Message text isn’t recorded.',
        )}
      </p>
      <div class="setting-grid">
        <SelectField
          label={t('By')}
          value={actor}
          options={[
            ['', t('Everyone')],
            ...people.map((one) => [String(one.user_id), one.full_name] as const),
          ]}
        />
        <SelectField
          label={t('About')}
          value={group}
          options={[['', t('Everything')], ...AUDIT_KIND_GROUPS.map((one) => [one.id, one.name] as const)]}
        />
      </div>
      <ol class="audit">
        {entries.map((entry) => (
          <li key={entry.id} class="card">
            <div class="card-text">
              <span>
                <strong>
                  <bdi>{actorName(entry, (userId) => nameOf(state, userId))}</bdi>
                </strong>{' '}
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
      {log.problem.value !== '' && (
        <p class="problem" role="alert">
          {log.problem.value}
        </p>
      )}
      {log.isLoading.value && <Waiting text={t('Loading audit log…')} />}
      {!log.isLoading.value && entries.length === 0 && log.problem.value === '' && (
        <p class="empty">{t('No matching entries')}</p>
      )}
      {!log.isLoading.value && !log.foundOldest.value && (
        <p>
          <button class="button" onClick={() => void log.load(entries.at(-1))}>
            {t('Load more')}
          </button>
        </p>
      )}
    </section>
  )
}

/** The entries of an actor and a group of kinds; an empty text stands for all. */
function useAuditLog(actor: string, group: string) {
  const { api } = useApp()
  const entries = useSignal<readonly AuditEntry[]>([])
  const foundOldest = useSignal(false)
  const isLoading = useSignal(true)
  const problem = useSignal('')
  const load = async (before: AuditEntry | undefined, signal = new AbortController().signal) => {
    const kinds = AUDIT_KIND_GROUPS.find((one) => one.id === group)?.kinds
    const params: ParamsOf<'GET /realm/audit_log'> = {
      limit: PAGE,
      ...(actor === '' ? {} : { acting_user_id: Number(actor) }),
      ...(kinds === undefined ? {} : { kinds: kinds as readonly AuditKind[] }),
      ...(before === undefined ? {} : { before_id: before.id }),
    }
    isLoading.value = true
    problem.value = ''
    try {
      const reply = await api.callWith({ signal }, 'GET /realm/audit_log', params)
      if (signal.aborted) return
      entries.value = before === undefined ? reply.entries : [...entries.value, ...reply.entries]
      foundOldest.value = reply.found_oldest
    } catch (error) {
      if (!signal.aborted) problem.value = problemText(error)
    } finally {
      if (!signal.aborted) isLoading.value = false
    }
  }
  useEffect(() => {
    const stop = new AbortController()
    entries.value = []
    void load(undefined, stop.signal)
    return () => stop.abort()
  }, [actor, group])
  return { entries, foundOldest, isLoading, problem, load }
}

function actorName(entry: AuditEntry, name: (userId: number) => string): string {
  if (entry.acting_user_id !== null) return name(entry.acting_user_id)
  switch (entry.actor) {
    case 'server':
      return t('The server')
    case 'scim':
      return t('The company’s provider of identities')
    default:
      return t('Someone')
  }
}
