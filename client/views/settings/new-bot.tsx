/** A new bot. */

import { useSignal } from '@preact/signals'
import { useApp, useState } from '../../shell/app.ts'
import { holds } from '../../store/derived/permissions.ts'
import { useKept } from '../parts/kept.ts'
import { SavedNote, useSaving } from '../parts/saving.tsx'
import { KeyShown } from './key-shown.tsx'
import { ProofDialog, useProof } from './use-proof.tsx'

const FORM = 'new bot'
const TYPES = [
  ['1', 'Reads and writes'],
  ['2', 'Only writes'],
] as const

export function NewBot() {
  const { api } = useApp()
  const state = useState()
  const name = useKept(FORM, 'name', '')
  const shortName = useKept(FORM, 'shortName', '')
  const mayRead = holds(state, state.realm_can_create_bots_group)
  const type = useSignal<string>(mayRead ? '1' : '2')
  const key = useSignal<string | undefined>(undefined)
  const saving = useSaving()
  const proving = useProof()
  const create = async (event: Event) => {
    event.preventDefault()
    const isMade = await saving.save(() =>
      proving.prove(async (proof) => {
        const { api_key } = await api.call('POST /bots', {
          full_name: name.value.trim(),
          short_name: shortName.value.trim(),
          bot_type: Number(type.value),
          ...proof,
        })
        key.value = api_key
      }),
    )
    if (!isMade) return
    name.value = ''
    shortName.value = ''
  }
  return (
    <section class="settings-part">
      <h2>New bot</h2>
      <form class="form" onSubmit={(event) => void create(event)}>
        <div class="setting-grid">
          <div class="field">
            <label for="bot-name">Name of the bot</label>
            <input
              id="bot-name"
              required
              dir="auto"
              value={name.value}
              onInput={(event) => (name.value = event.currentTarget.value)}
            />
          </div>
          <div class="field">
            <label for="bot-short">Short name, for its address</label>
            <input
              id="bot-short"
              required
              autoCapitalize="off"
              value={shortName.value}
              onInput={(event) => (shortName.value = event.currentTarget.value)}
            />
          </div>
          <div class="field">
            <label for="bot-type">Messages</label>
            <select
              id="bot-type"
              value={type.value}
              onChange={(event) => (type.value = event.currentTarget.value)}
            >
              {TYPES.filter(([one]) => mayRead || one === '2').map(([one, text]) => (
                <option key={one} value={one}>
                  {text}
                </option>
              ))}
            </select>
          </div>
        </div>
        {key.value !== undefined && <KeyShown apiKey={key.value} />}
        <div class="actions start">
          <button class="button primary">Create bot</button>
          <SavedNote saving={saving} />
        </div>
      </form>
      <ProofDialog proving={proving} />
    </section>
  )
}
