/** Channels of an archive whose names are taken: the owner chooses what becomes of each. The server has the choices. */

import { useSignal } from '@preact/signals'
import { useEffect, useId, useRef } from 'preact/hooks'
import { foldCase } from '../../../packages/rules/fold-case.ts'
import type { Channel } from '../../../packages/client/src/wire-types.ts'
import { useApp, useState } from '../../app/app.ts'
import { channelsById } from '../../store/derived/channels.ts'
import { Icon } from '../../ui/icon.tsx'
import { SavedNote, useSavedValue } from '../../ui/saving.tsx'
import { showError } from '../../ui/toasts.tsx'
import type { Import, ImportReport } from './use-imports.ts'
import { t } from '../../texts/texts.ts'

type Taken = NonNullable<ImportReport['taken_channels']>[number]
/** Names here by those in the archive. */
type Names = ReadonlyMap<string, string>

interface TakenChannelsProps {
  readonly one: Import
  readonly taken: readonly Taken[]
}

export function TakenChannels({ one, taken }: TakenChannelsProps) {
  const channels = channelsById(useState())
  const { names, choose } = useNames(one, taken)
  const mergeable = taken.flatMap((channel) => {
    const there = presentOf(channel, channels.get(channel.stream_id ?? -1)?.channel)
    return there && names.get(channel.name) === undefined ? [[channel.name, there.name] as const] : []
  })
  if (taken.length === 0) return null
  return (
    <section class="taken-channels" aria-labelledby="taken-channels">
      <h4 id="taken-channels">{t('Channels whose names are taken')}</h4>
      <p class="quiet-text">
        {t('Merge a channel into the one that is here, which keeps its settings, or give it another name.')}
      </p>
      <ul>
        {taken.map((channel) => (
          <TakenChannel
            key={channel.name}
            channel={channel}
            there={presentOf(channel, channels.get(channel.stream_id ?? -1)?.channel)}
            chosen={names.get(channel.name) ?? channel.imported_as}
            onChoose={(here) => choose([[channel.name, here]])}
          />
        ))}
      </ul>
      {mergeable.length > 1 && (
        <p>
          <button class="button small" onClick={() => void choose(mergeable).catch(showError)}>
            {t('Merge {count} channels', { count: mergeable.length })}
          </button>
        </p>
      )}
    </section>
  )
}

/** The channel here that the other one may come into; the server checks it again. */
function presentOf({ is_private: isPrivate }: Taken, there: Channel | undefined): Channel | undefined {
  if (!there || there.is_archived || (isPrivate && !there.invite_only)) return undefined
  return there
}

const storedNames = ({ channel_names: names }: Import): Names =>
  new Map(names.map(({ name, imported_as: here }) => [name, here]))

/** The choices, which are saved whole, one after another. */
function useNames(one: Import, taken: readonly Taken[]) {
  const { api } = useApp()
  const names = useSignal(storedNames(one))
  const last = useRef(Promise.resolve())
  const stored = JSON.stringify(one.channel_names)
  useEffect(() => {
    names.value = storedNames(one)
  }, [stored])
  const save = async (changes: readonly (readonly [name: string, here: string])[]) => {
    const next = new Map(names.peek())
    for (const [name, here] of changes) {
      const isPlain = taken.some((channel) => channel.name === name && channel.imported_as === here)
      if (isPlain) next.delete(name)
      else next.set(name, here)
    }
    await api.call('PATCH /realm/imports/{import_id}', {
      import_id: one.id,
      channel_names: [...next].map(([name, here]) => ({ name, imported_as: here })),
    })
    names.value = next
  }
  const choose = (changes: readonly (readonly [name: string, here: string])[]) => {
    const saved = last.current.then(() => save(changes))
    last.current = saved.catch(() => undefined)
    return saved
  }
  return { names: names.value, choose }
}

interface TakenChannelProps {
  readonly channel: Taken
  /** The channel here that it may come into. */
  readonly there: Channel | undefined
  readonly chosen: string
  readonly onChoose: (here: string) => Promise<void>
}

function TakenChannel({ channel, there, chosen, onChoose }: TakenChannelProps) {
  const { name, imported_as: suffixed, is_private: isPrivate } = channel
  const { max_stream_name_length: lengthMax } = useState()
  const { saving, shown, choose } = useSavedValue(chosen, onChoose)
  const typed = useSignal<string | undefined>(undefined)
  const id = useId()
  const isMerged = there !== undefined && foldCase(shown) === foldCase(there.name)
  return (
    <li>
      <span class="taken-name" id={`${id}-name`} dir="auto">
        <Icon name={isPrivate ? 'lock' : 'hash'} /> {name}
      </span>
      <div class="field">
        <select
          aria-label={t('Action for {name}', { name })}
          value={isMerged ? 'merge' : 'name'}
          onChange={(event) => {
            typed.value = undefined
            void choose(event.currentTarget.value === 'merge' && there ? there.name : suffixed)
          }}
        >
          {there && <option value="merge">{t('Merge into #{name}', { name: there.name })}</option>}
          <option value="name">{t('Import as')}</option>
        </select>
      </div>
      {!isMerged && (
        <div class="field">
          <input
            dir="auto"
            aria-label={t('New name of {name}', { name })}
            value={typed.value ?? shown}
            maxLength={lengthMax}
            onInput={(event) => (typed.value = event.currentTarget.value)}
            onChange={(event) =>
              void choose(event.currentTarget.value.trim()).then((isSaved) => {
                if (isSaved) typed.value = undefined
              })
            }
          />
        </div>
      )}
      <SavedNote saving={saving} />
    </li>
  )
}
