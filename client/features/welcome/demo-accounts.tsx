/** The accounts of the demo: one click logs in. */

import { roleName } from '../../../packages/rules/roles.ts'
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { ReplyOf } from '../../../packages/client/src/client.ts'
import { useApi } from '../../app/api.ts'
import { Face } from '../people/face.tsx'
import { t } from '../../texts/texts.ts'

type Account = ReplyOf<'GET /demo_accounts'>['accounts'][number]

interface DemoAccountsProps {
  readonly token: string
  readonly onLoggedIn: () => void
}

/** Shows nothing if the link is old, which is that of an earlier start. */
export function DemoAccounts({ token, onLoggedIn }: DemoAccountsProps) {
  const api = useApi()
  const accounts = useSignal<readonly Account[]>([])
  const isOld = useSignal(false)
  useEffect(() => {
    api.call('GET /demo_accounts', { token }).then(
      (reply) => (accounts.value = reply.accounts),
      () => (isOld.value = true),
    )
  }, [token])
  const logIn = (email: string) =>
    void api.call('POST /demo_login', { token, email }).then(onLoggedIn, () => (isOld.value = true))
  if (isOld.value)
    return (
      <p class="problem" role="alert">
        {t('This link to the demo is from an earlier start. The server printed a new one.')}
      </p>
    )
  return (
    <section aria-label={t('Accounts of the demo')}>
      <p class="demo-hint">{t('Look around as:')}</p>
      <ul class="demo-accounts">
        {accounts.value.map(({ email, full_name: name, role }, index) => (
          <li key={email}>
            <button class="button" onClick={() => logIn(email)}>
              <Face userId={index} name={name} size="small" />
              <span class="name" dir="auto">
                {name}
              </span>
              <small>{t(roleName(role))}</small>
            </button>
          </li>
        ))}
      </ul>
    </section>
  )
}
