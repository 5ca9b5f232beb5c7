/** The domains of email addresses with which people may join. */

import { useApp, useState } from '../../app/app.ts'
import { Toggle } from '../../ui/setting.tsx'
import { showError } from '../../ui/toasts.tsx'
import { SettingToggle } from './organization-setting.tsx'
import { SmallForm } from './small-form.tsx'
import { t } from '../../texts/texts.ts'

const FIELDS = [{ name: 'domain', label: t('Domain'), placeholder: 'example.com', lengthMax: 255 }] as const

export function DomainsSection() {
  const { api } = useApp()
  const state = useState()
  const domains = state.realm_domains ?? []
  const remove = (domain: string) => api.call('DELETE /realm/domains/{domain}', { domain }).catch(showError)
  return (
    <section class="settings-part" aria-labelledby="domains">
      <h2 id="domains">{t('Allowed domains')}</h2>
      <SettingToggle
        name="emails_restricted_to_domains"
        label={t('Only people with an email address at these domains can join')}
        hint={t('Only owners can change this.')}
        isForOwners
      />
      {state.is_owner && (
        <SmallForm
          fields={FIELDS}
          action={t('Add domain')}
          onSave={({ domain }) => api.call('POST /realm/domains', { domain, allow_subdomains: false })}
        />
      )}
      {domains.length === 0 && <p class="empty">{t('No domains yet')}</p>}
      <ul>
        {domains.map(({ domain, allow_subdomains: hasSubdomains }) => (
          <li key={domain} class="card">
            <div class="card-text">
              <span class="card-name">{domain}</span>
              <Toggle
                label={t('Include subdomains')}
                value={hasSubdomains}
                isDisabled={!state.is_owner}
                onSave={(isOn) =>
                  api.call('PATCH /realm/domains/{domain}', { domain, allow_subdomains: isOn })
                }
              />
            </div>
            {state.is_owner && (
              <button
                class="button small danger"
                aria-label={t('Remove {domain}', { domain })}
                onClick={() => void remove(domain)}
              >
                {t('Remove')}
              </button>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}
