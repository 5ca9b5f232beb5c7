/** Settings of the organization that save themselves, by their names in the API. */

import type { ParamsOf } from '../../../packages/client/src/client.ts'
import { type App, useApp, useState } from '../../app/app.ts'
import type { State } from '../../store/apply.ts'
import { Choice, TextSetting, Toggle } from '../../ui/setting.tsx'
import { t } from '../../texts/texts.ts'

type Params = ParamsOf<'PATCH /realm'>
/** Names of the settings of a type. */
type NamesOf<Value> = {
  [Name in keyof Params]-?: Value extends Params[Name] ? Name : never
}[keyof Params]

interface CommonProps {
  readonly label: string
  readonly hint?: string
  /** Whether only owners may change it. */
  readonly isForOwners?: boolean
}

/** A value of the settings that are edited here. */
type SettingValue = string | number | boolean | null | undefined

/** The value of a setting as the state has it. */
function settingOf(state: State, name: keyof Params): SettingValue {
  return (state as Readonly<Record<string, unknown>>)[`realm_${name}`] as SettingValue
}

/** Whether the user may change settings of the organization. */
function mayChange(state: State, isForOwners = false): boolean {
  return isForOwners ? state.is_owner === true : state.is_admin === true
}

export function saveSetting(app: App, name: keyof Params, value: unknown): Promise<unknown> {
  return app.api.call('PATCH /realm', { [name]: value } as Params)
}

interface SettingToggleProps extends CommonProps {
  readonly name: NamesOf<boolean>
  /** Whether the box is checked while the setting is off. */
  readonly isInverted?: boolean
}

export function SettingToggle({ name, isInverted = false, label, hint, isForOwners }: SettingToggleProps) {
  const app = useApp()
  const state = useState()
  return (
    <Toggle
      label={label}
      hint={hint}
      value={(settingOf(state, name) === true) !== isInverted}
      onSave={(isOn) => saveSetting(app, name, isOn !== isInverted)}
      isDisabled={!mayChange(state, isForOwners)}
    />
  )
}

interface SettingTextProps extends CommonProps {
  readonly name: NamesOf<string>
  readonly lengthMax?: number
  readonly isLong?: boolean
}

export function SettingText({ name, label, hint, isForOwners, ...rest }: SettingTextProps) {
  const app = useApp()
  const state = useState()
  return (
    <TextSetting
      {...rest}
      label={label}
      hint={hint}
      value={String(settingOf(state, name) ?? '')}
      onSave={(text) => saveSetting(app, name, text)}
      isDisabled={!mayChange(state, isForOwners)}
    />
  )
}

type Options = readonly (readonly [value: string, text: string])[]

interface SettingChoiceProps extends CommonProps {
  readonly name: keyof Params
  readonly options: Options
  /** The value of the state, in the form of an option. */
  readonly read?: (value: SettingValue) => string
  /** The value of an option, in the form of the API. */
  readonly write?: (option: string) => unknown
}

export function SettingChoice(props: SettingChoiceProps) {
  const { name, options, label, hint, isForOwners, read = String, write = (option) => option } = props
  const app = useApp()
  const state = useState()
  return (
    <Choice
      label={label}
      hint={hint}
      value={read(settingOf(state, name))}
      options={options}
      onSave={(option) => saveSetting(app, name, write(option))}
      isDisabled={!mayChange(state, isForOwners)}
    />
  )
}

const NONE = -1

/** A channel, or none. */
export function SettingChannel({ isPrivate = false, ...props }: CommonProps & ChannelProps) {
  const state = useState()
  const channels = [
    ...(state.subscriptions ?? []),
    ...(state.unsubscribed ?? []),
    ...(state.never_subscribed ?? []),
  ]
    .filter((one) => !one.is_archived && (!isPrivate || one.invite_only))
    .toSorted((a, b) => a.name.localeCompare(b.name))
  const chosen = Number(settingOf(state, props.name) ?? NONE)
  const isHidden = chosen > 0 && !channels.some((one) => one.stream_id === chosen)
  return (
    <SettingChoice
      {...props}
      options={[
        [String(NONE), t('None')],
        ...(isHidden ? [[String(chosen), t('A channel you can’t see')] as const] : []),
        ...channels.map(({ stream_id, name }) => [String(stream_id), `#${name}`] as const),
      ]}
      read={(value) => String(value ?? NONE)}
      write={Number}
    />
  )
}

interface ChannelProps {
  readonly name: 'new_stream_announcements_stream_id' | 'moderation_request_channel_id'
  /** Whether only private channels are offered. */
  readonly isPrivate?: boolean
}
