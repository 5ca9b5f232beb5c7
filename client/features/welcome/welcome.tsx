/** The first view without a session: the organization, and a form to log in. */

import { useSignal } from '@preact/signals'
import { WORDS } from '../../../packages/look/log-in-form.ts'
import type { ReplyOf } from '../../../packages/client/src/client.ts'
import { DemoAccounts } from './demo-accounts.tsx'
import { LogInForm } from './log-in-form.tsx'
import { UnsentNote } from '../leaving/unsent-note.tsx'
import { OtherWays } from './other-ways.tsx'
import { RareIcon } from '../../ui/rare-icon.tsx'
import { ownPicture } from '../../ui/own-picture.ts'
import { ServerHtml } from '../../ui/server-html.tsx'
import { t } from '../../texts/texts.ts'

type Server = ReplyOf<'GET /server_settings'>

interface WelcomeProps {
  readonly server: Server
  readonly demoToken: string | undefined
  readonly onLoggedIn: () => void
  /** Rejects if the code of the public channels does not come. */
  readonly onVisit: () => Promise<void>
}

export function Welcome({ server, demoToken, onLoggedIn, onVisit }: WelcomeProps) {
  const isProblem = useSignal(false)
  const visit = async () => {
    isProblem.value = false
    await onVisit().catch(() => (isProblem.value = true))
  }
  return (
    <main class="welcome">
      <section class="welcome-card" aria-labelledby="organization">
        <header>
          <img src={ownPicture(server.realm_icon) ?? '/app/icon.svg'} alt="" width={44} height={44} />
          <h1 id="organization">{server.realm_name}</h1>
          <ServerHtml html={server.realm_description} />
        </header>
        {server.is_exposed_demo === true && <p class="problem">{t(WORDS.exposedDemo)}</p>}
        {demoToken !== undefined && <DemoAccounts token={demoToken} onLoggedIn={onLoggedIn} />}
        {server.email_auth_enabled && (
          <LogInForm hasUserNames={!server.require_email_format_usernames} onLoggedIn={onLoggedIn} />
        )}
        <OtherWays methods={server.external_authentication_methods} onLoggedIn={onLoggedIn} />
        <UnsentNote />
        {server.realm_web_public_access_enabled && (
          <section class="visit-offer" aria-label={t('Without an account')}>
            <p>{t('Some channels are open to everyone.')}</p>
            {isProblem.value && (
              <p class="problem" role="alert">
                {t('Couldn’t load this part of the page. Please try again.')}
              </p>
            )}
            <button type="button" class="button" onClick={() => void visit()}>
              <RareIcon name="eye" />
              {t('Browse public channels')}
            </button>
          </section>
        )}
      </section>
    </main>
  )
}
