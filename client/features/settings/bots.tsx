/** The own bots: programs that read and write by the API. */

import { FULL_NAME_LENGTH_MAX } from '../../../packages/rules/limits.ts'
import { useSignal } from '@preact/signals'
import type { Bot } from '../../../packages/client/src/wire-types.ts'
import { useApp, useState } from '../../app/app.ts'
import { mayCreateBots } from '../../store/derived/account-permissions.ts'
import { Face } from '../people/face.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { lazy } from '../../ui/lazy.tsx'
import { SavedNote, useSaving } from '../../ui/saving.tsx'
import { TextSetting } from '../../ui/setting.tsx'
import { KeyShown } from './key-shown.tsx'
import { NewBot } from './new-bot.tsx'
import { ProofDialog, useProof } from './use-proof.tsx'
import { t } from '../../texts/texts.ts'

const ONLY_SENDS = 2
const ProgramKeys = lazy(async () => (await import('./program-keys.tsx')).ProgramKeys)

export function Bots() {
  const state = useState()
  const bots = (state.realm_bots ?? []).filter((one) => one.owner_id === state.user_id && one.is_active)
  const mayCreate = mayCreateBots(state, { isWriteOnly: true })
  return (
    <>
      {mayCreate && <NewBot />}
      {bots.length === 0 && (
        <p class="empty">{mayCreate ? t('No bots yet') : t('You don’t have permission to create bots.')}</p>
      )}
      {bots.map((bot) => (
        <BotCard key={bot.user_id} bot={bot} />
      ))}
    </>
  )
}

function BotCard({ bot }: { readonly bot: Bot }) {
  const { api } = useApp()
  const key = useSignal<string | undefined>(undefined)
  const isAsking = useSignal(false)
  const isOpen = useSignal(false)
  const saving = useSaving()
  const proving = useProof()
  const params = { bot_id: bot.user_id }
  const renew = () =>
    saving.save(() =>
      proving.prove(async (proof) => {
        const { api_key } = await api.call('POST /bots/{bot_id}/api_key/regenerate', { ...params, ...proof })
        key.value = api_key
      }),
    )
  return (
    <section class="settings-part" aria-label={bot.full_name}>
      <div class="picture-setting">
        <Face userId={bot.user_id} name={bot.full_name} picture={bot.avatar_url} size="medium" />
        <div>
          <b dir="auto">{bot.full_name}</b>
          <p class="quiet-text">{bot.email}</p>
        </div>
      </div>
      <TextSetting
        label={t('Name')}
        value={bot.full_name}
        lengthMax={FULL_NAME_LENGTH_MAX}
        onSave={(name) => api.call('PATCH /bots/{bot_id}', { ...params, full_name: name.trim() })}
      />
      {key.value !== undefined && <KeyShown apiKey={key.value} />}
      <div class="actions start">
        <button class="button" onClick={() => void renew()}>
          {t('Create new API key')}
        </button>
        <button class="button" aria-expanded={isOpen.value} onClick={() => (isOpen.value = !isOpen.value)}>
          {t('Keys for programs')}
        </button>
        <button class="button danger" onClick={() => (isAsking.value = true)}>
          {t('Deactivate')}
        </button>
        <SavedNote saving={saving} />
      </div>
      {isOpen.value && (
        <ProgramKeys
          botId={bot.user_id}
          // A bot that only sends reads nothing.
          open={
            bot.bot_type === ONLY_SENDS
              ? ['webhooks', 'channel']
              : ['webhooks', 'read', 'messages', 'channel']
          }
        />
      )}
      <ProofDialog proving={proving} />
      {isAsking.value && (
        <Confirm
          title={t('Deactivate “{name}”?', { name: bot.full_name })}
          action={t('Deactivate')}
          onConfirm={() => api.call('DELETE /bots/{bot_id}', params)}
          onClose={() => (isAsking.value = false)}
        />
      )}
    </section>
  )
}
