/** Keys of programs, of the person or of one of their bots: each with what it opens, its end and its last use. */

import { useSignal } from '@preact/signals'
import { useApp, useState } from '../../app/app.ts'
import { channelsById } from '../../store/derived/channels.ts'
import type { State } from '../../store/apply.ts'
import { Confirm } from '../../ui/confirm.tsx'
import { dayAndTime } from '../../ui/day-and-time.ts'
import { shortTime } from '../../ui/times.ts'
import { Waiting } from '../../ui/waiting.tsx'
import { keysOf, type ProgramKey } from './keys-of.ts'
import { NewProgramKey, type Scope } from './new-program-key.tsx'
import { useLoaded } from '../../ui/use-loaded.ts'
import { t } from '../../texts/texts.ts'

interface ProgramKeysProps {
  /** The bot whose keys they are; undefined for the person's own. */
  readonly botId?: number
  /** The scopes that a key may have here, the first one chosen. */
  readonly open: readonly Scope[]
}

export function ProgramKeys({ botId, open }: ProgramKeysProps) {
  const keys = keysOf(useApp().api, botId)
  const { value, problem, reload } = useLoaded(keys.list)
  const ended = useSignal<ProgramKey | undefined>(undefined)
  const target = ended.value
  return (
    <section class="settings-part" aria-label={t('Keys for programs')}>
      <h2>{t('Keys for programs')}</h2>
      <p class="quiet-text">
        {botId === undefined
          ? t(
              'Give each program its own key, with only the access it needs. You can revoke one without affecting the others.',
            )
          : t(
              'Give each system that uses this bot its own key. You can revoke one without affecting the others.',
            )}
      </p>
      {problem !== undefined && <p class="problem">{problem}</p>}
      {!value && problem === undefined && <Waiting text={t('Loading keys…')} />}
      {value && value.keys.length > 0 && (
        <ul class="cards">
          {value.keys.map((one) => (
            <KeyCard key={one.id} of={one} onRevoke={() => (ended.value = one)} />
          ))}
        </ul>
      )}
      {value && <NewProgramKey keys={keys} open={open} onMade={reload} />}
      {target && (
        <Confirm
          title={t('Revoke “{name}”?', { name: target.name })}
          action={t('Revoke')}
          onConfirm={async () => {
            await keys.revoke(target.id)
            reload()
          }}
          onClose={() => (ended.value = undefined)}
        >
          <p>{t('The program that uses it stops working at once.')}</p>
        </Confirm>
      )}
    </section>
  )
}

interface KeyCardProps {
  readonly of: ProgramKey
  readonly onRevoke: () => void
}

function KeyCard({ of: key, onRevoke }: KeyCardProps) {
  const { minute } = useApp()
  const { last_used_at: used, expires_at: end } = key
  return (
    <li class="card">
      <div class="card-text">
        <b dir="auto">{key.name}</b>
        <small>
          {scopeText(useState(), key)}
          {' · '}
          {used === null ? t('never used') : t('used {time}', { time: shortTime(used, minute.value) })}
          {end !== null && <> · {t('expires {time}', { time: dayAndTime(end) })}</>}
        </small>
      </div>
      <button class="button" onClick={onRevoke} aria-label={t('Revoke “{name}”', { name: key.name })}>
        {t('Revoke')}
      </button>
    </li>
  )
}

function scopeText(state: State, { scope, stream_id: channelId }: ProgramKey): string {
  if (scope === 'read') return t('only reads')
  if (scope === 'messages') return t('reads, sends messages and reacts')
  if (scope === 'webhooks') return t('only webhooks')
  const found = channelId === null ? undefined : channelsById(state).get(channelId)
  return found
    ? t('reads and posts in {channel}', { channel: `#${found.channel.name}` })
    : t('reads and posts in a channel you can’t see')
}
