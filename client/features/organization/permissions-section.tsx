/** The permissions in the organization. */

import type { GroupSetting } from '../../../packages/client/src/wire-types.ts'
import type { ParamsOf } from '../../../packages/client/src/client.ts'
import { useApp, useState } from '../../app/app.ts'
import { PermissionPicker } from '../people/permission-picker.tsx'
import { PERMISSION_PARTS } from './permission-texts.ts'
import { t } from '../../texts/texts.ts'

export function PermissionsSection() {
  const { api } = useApp()
  const state = useState()
  const values = state as Readonly<Record<string, unknown>>
  return (
    <>
      {PERMISSION_PARTS.map(({ id, title, permissions }) => (
        <section key={id} class="settings-part" aria-labelledby={`permissions-${id}`}>
          <h2 id={`permissions-${id}`}>{title}</h2>
          <div class="setting-grid">
            {permissions.map(({ name, label, hint, isForOwners }) => {
              const value = values[`realm_${name}`] as GroupSetting | undefined
              if (value === undefined) return null
              return (
                <PermissionPicker
                  key={name}
                  label={label}
                  hint={isForOwners ? `${hint} ${t('Only owners can change this.')}` : hint}
                  kind="realm"
                  setting={name}
                  value={value}
                  isDisabled={isForOwners ? !state.is_owner : !state.is_admin}
                  onSave={(next) =>
                    // The former value guards against a change that somebody else made meanwhile.
                    api.call('PATCH /realm', {
                      [name]: { new: next, old: value },
                    } as ParamsOf<'PATCH /realm'>)
                  }
                />
              )
            })}
          </div>
        </section>
      ))}
    </>
  )
}
