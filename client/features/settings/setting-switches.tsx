/** Switches for settings that are on or off. */

import type { ComponentChildren } from 'preact'
import type { OwnSettings } from '../../../packages/client/src/wire-types.ts'
import { Toggle } from '../../ui/setting.tsx'
import { useOwnSettings } from './use-own-settings.ts'

/** The settings that are on or off. */
type SwitchName = {
  [Name in keyof OwnSettings]: OwnSettings[Name] extends boolean ? Name : never
}[keyof OwnSettings]

export type Switch = readonly [name: SwitchName, label: string, hint?: string]

interface SettingSwitchesProps {
  readonly title: string
  readonly switches: readonly Switch[]
  /** Further settings below. */
  readonly children?: ComponentChildren
}

export function SettingSwitches({ title, switches, children }: SettingSwitchesProps) {
  const { settings, change } = useOwnSettings()
  return (
    <section class="settings-part">
      <h2>{title}</h2>
      {switches.map(([name, label, hint]) => (
        <Toggle
          key={name}
          label={label}
          hint={hint}
          value={settings?.[name] ?? false}
          onSave={(isOn) => change({ [name]: isOn })}
        />
      ))}
      {children}
    </section>
  )
}
