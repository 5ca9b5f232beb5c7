/** Integrations: the address at which another system posts into a channel, made step by step. */

import { type Signal, useSignal } from '@preact/signals'
import type { ReplyOf } from '../../../packages/client/src/client.ts'
import { useApp, useState } from '../../app/app.ts'
import { mayCreateBots } from '../../store/derived/account-permissions.ts'
import { channelSections } from '../../store/derived/channels.ts'
import { SelectField, TextField } from '../../ui/fields.tsx'
import { SavedNote, useSaving } from '../../ui/saving.tsx'
import { Waiting } from '../../ui/waiting.tsx'
import { addressOf, NEW_BOT, type Place, WebhookMaker } from './make-webhook.ts'
import { ProofDialog, useProof } from './use-proof.tsx'
import { useLoaded } from '../../ui/use-loaded.ts'
import { WebhookAddress } from './webhook-address.tsx'
import { t } from '../../texts/texts.ts'

type Choice = readonly [id: string, name: string]
type Integration = ReplyOf<'GET /integrations'>['integrations'][number]

/** The system that is chosen first. */
const FIRST = 'github'
/** Characters of a topic. */
const TOPIC_LENGTH_MAX = 60

export function Integrations() {
  const { api } = useApp()
  const { value, problem } = useLoaded(() => api.call('GET /integrations'))
  if (problem !== undefined) return <p class="problem">{problem}</p>
  if (!value) return <Waiting text={t('Loading integrations…')} />
  return <Steps integrations={value.integrations} />
}

function Steps({ integrations }: { readonly integrations: readonly Integration[] }) {
  const bots = useBots()
  const form = useWebhookForm(integrations, bots)
  const { integration } = form
  if (bots.length === 0) return <p class="empty">{t('You don’t have permission to create bots.')}</p>
  if (!integration) return null
  return (
    <section class="settings-part">
      <h2>{t('Integrations')}</h2>
      <p class="quiet-text">
        {t('Other systems can post messages here. Create an address, and enter it there as the webhook URL.')}
      </p>
      <form class="form" onSubmit={(event) => void form.create(event)}>
        <div class="setting-grid">
          <SelectField
            label={t('System')}
            hint={
              integration.name === 'slack_incoming' ? t('For everything that can post to Slack.') : undefined
            }
            value={form.name}
            options={integrations.map((one) => [one.name, one.title])}
          />
          <ChannelField channel={form.channel} />
          {form.channel.value !== '' && (
            <TextField
              label={t('Topic')}
              value={form.topic}
              maxLength={TOPIC_LENGTH_MAX}
              placeholder={t('Set by the system')}
            />
          )}
          <SelectField label={t('Post as')} value={form.bot} options={bots} />
          {form.bot.value === NEW_BOT && (
            <TextField label={t('Bot name')} value={form.botName} placeholder={integration.title} />
          )}
        </div>
        <EventFields key={integration.name} events={integration.events} left={form.left} />
        <div class="actions start">
          <button class="button primary" disabled={form.saving.state.value.phase === 'saving'}>
            {t('Create address')}
          </button>
          <SavedNote saving={form.saving} />
        </div>
      </form>
      <ProofDialog proving={form.proving} />
      {form.made.value && <WebhookAddress key={form.made.value.address} {...form.made.value} />}
    </section>
  )
}

/** The fields of the form, and what it makes. */
function useWebhookForm(integrations: readonly Integration[], bots: readonly Choice[]) {
  const app = useApp()
  const fields = {
    name: useSignal(integrations.find((one) => one.name === FIRST)?.name ?? integrations[0]?.name ?? ''),
    bot: useSignal(bots[0]?.[0] ?? ''),
    botName: useSignal(''),
    channel: useSignal(''),
    topic: useSignal(''),
    left: useSignal<ReadonlySet<string>>(new Set()),
  }
  const made = useSignal<{ readonly address: string; readonly test: string } | undefined>(undefined)
  const saving = useSaving()
  const proving = useProof()
  const integration = integrations.find((one) => one.name === fields.name.value)
  const create = async (event: Event) => {
    event.preventDefault()
    if (!integration) return
    const { name, title, events } = integration
    const wanted = events.filter((one) => !fields.left.value.has(one))
    const place: Place = {
      channelId: fields.channel.value === '' ? undefined : Number(fields.channel.value),
      topic: fields.topic.value.trim(),
      // All of them is no filter, so that those of later releases come, too.
      events: wanted.length === events.length ? undefined : wanted,
    }
    const botName = fields.botName.value.trim() || title
    const maker = new WebhookMaker(app, { bot: fields.bot.value, botName, keyName: title })
    const origin = app.state.value.realm_url ?? location.origin
    await saving.save(() =>
      proving.prove(async (proof) => {
        const key = await maker.make(place.channelId, proof)
        const test = { ...place, topic: place.topic || title, events: undefined }
        made.value = {
          address: addressOf(origin, name, key, place),
          test: addressOf(origin, 'text', key, test),
        }
      }),
    )
    // The next address may use it, also if its key was refused.
    if (maker.botId !== undefined) fields.bot.value = String(maker.botId)
  }
  return { ...fields, integration, made, saving, proving, create }
}

/** The own bots, and a new one if the person may make it. */
function useBots(): readonly Choice[] {
  const state = useState()
  const own = (state.realm_bots ?? []).filter((one) => one.owner_id === state.user_id && one.is_active)
  return [
    ...(mayCreateBots(state, { isWriteOnly: true }) ? [[NEW_BOT, t('New bot')] as const] : []),
    ...own.map((one) => [String(one.user_id), one.full_name] as const),
  ]
}

function ChannelField({ channel }: { readonly channel: Signal<string> }) {
  const channels = channelSections(useState()).flatMap((section) => section.channels)
  const chosen = channels.find((one) => String(one.stream_id) === channel.value)
  return (
    <SelectField
      label={t('Channel')}
      hint={chosen?.invite_only ? t('The bot is added to this private channel.') : undefined}
      value={channel}
      options={[
        ['', t('None: send me direct messages')],
        ...channels.map((one) => [String(one.stream_id), one.name] as const),
      ]}
    />
  )
}

interface EventFieldsProps {
  readonly events: readonly string[]
  /** Events that are not chosen. */
  readonly left: Signal<ReadonlySet<string>>
}

function EventFields({ events, left }: EventFieldsProps) {
  if (events.length === 0) return null
  const count = events.filter((one) => !left.value.has(one)).length
  const toggle = (name: string, isWanted: boolean) => {
    const others = [...left.value].filter((one) => one !== name)
    left.value = new Set(isWanted ? others : [...others, name])
  }
  return (
    <details>
      <summary>{t('Events: {count} of {all}', { count, all: events.length })}</summary>
      <fieldset class="choices">
        <legend>{t('Events to post')}</legend>
        {events.map((one) => (
          <label key={one}>
            <input
              type="checkbox"
              checked={!left.value.has(one)}
              onChange={(event) => toggle(one, event.currentTarget.checked)}
            />
            {one}
          </label>
        ))}
      </fieldset>
    </details>
  )
}
