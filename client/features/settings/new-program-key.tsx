/** A new key of a program. */

import { useSignal } from '@preact/signals'
import { useState } from '../../app/app.ts'
import { channelSections } from '../../store/derived/channels.ts'
import { SelectField, TextField } from '../../ui/fields.tsx'
import { SavedNote, useSaving } from '../../ui/saving.tsx'
import { KeyShown } from './key-shown.tsx'
import type { Keys } from './keys-of.ts'
import { ProofDialog, useProof } from './use-proof.tsx'
import { t } from '../../texts/texts.ts'

const NAME_LENGTH_MAX = 60
const DAY_SECONDS = 86_400
const SCOPES = [
  ['read', t('Only read')],
  ['messages', t('Read, send messages and react')],
  ['channel', t('Read and post in one channel')],
  ['webhooks', t('Only post webhooks')],
] as const
export type Scope = (typeof SCOPES)[number][0]
const ENDS = [
  ['', t('Never')],
  [String(7 * DAY_SECONDS), t('In a week')],
  [String(30 * DAY_SECONDS), t('In 30 days')],
  [String(90 * DAY_SECONDS), t('In 90 days')],
  [String(365 * DAY_SECONDS), t('In a year')],
] as const

interface NewProgramKeyProps {
  readonly keys: Keys
  /** The scopes that a key may have here. */
  readonly open: readonly Scope[]
  readonly onMade: () => void
}

export function NewProgramKey({ keys, open, onMade }: NewProgramKeyProps) {
  const channels = channelSections(useState()).flatMap((section) => section.channels)
  const name = useSignal('')
  const scope = useSignal<string>(open[0] ?? '')
  const channel = useSignal(String(channels[0]?.stream_id ?? ''))
  const end = useSignal(String(90 * DAY_SECONDS))
  const made = useSignal<string | undefined>(undefined)
  const saving = useSaving()
  const proving = useProof()
  const create = async (event: Event) => {
    event.preventDefault()
    const isMade = await saving.save(() =>
      proving.prove(async (proof) => {
        const { api_key } = await keys.create({
          name: name.value.trim(),
          scope: scope.value as Scope,
          ...(scope.value === 'channel' ? { stream_id: Number(channel.value) } : {}),
          ...(end.value === '' ? {} : { expires_in_seconds: Number(end.value) }),
          ...proof,
        })
        made.value = api_key
      }),
    )
    if (!isMade) return
    name.value = ''
    onMade()
  }
  // Without a channel there is none to choose.
  const scopes = SCOPES.filter(([one]) => open.includes(one) && (one !== 'channel' || channels.length > 0))
  return (
    <form class="form" onSubmit={(event) => void create(event)}>
      <div class="setting-grid">
        <TextField label={t('Program name')} value={name} required maxLength={NAME_LENGTH_MAX} />
        <SelectField label={t('Access')} value={scope} options={scopes} />
        {scope.value === 'channel' && (
          <SelectField
            label={t('Channel')}
            value={channel}
            options={channels.map((one) => [String(one.stream_id), one.name])}
          />
        )}
        <SelectField label={t('Expires')} value={end} options={ENDS} />
      </div>
      {made.value !== undefined && (
        <>
          <KeyShown apiKey={made.value} />
          {scope.value !== 'webhooks' && (
            <p class="quiet-text">
              {t('Agents (MCP) use it as a bearer token at {address}', {
                address: new URL('/mcp', location.href).href,
              })}
            </p>
          )}
        </>
      )}
      <div class="actions start">
        <button class="button primary" disabled={saving.state.value.phase === 'saving'}>
          {t('Create key')}
        </button>
        <SavedNote saving={saving} />
      </div>
      <ProofDialog proving={proving} />
    </form>
  )
}
