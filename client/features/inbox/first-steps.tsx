/** Next steps for the owner of a new organization, until there are other people. */

import { useSignal } from '@preact/signals'
import { useApp, useState } from '../../app/app.ts'
import { channelSections } from '../../store/derived/channels.ts'
import { ofChannel } from '../../store/narrows/narrow.ts'
import { Icon } from '../../ui/icon.tsx'
import { copyText } from '../../ui/copy-text.ts'
import { MailNotice } from '../../ui/mail-notice.tsx'
import { showError } from '../../ui/toasts.tsx'
import { t } from '../../texts/texts.ts'
import { Text } from '../../texts/text.tsx'

export function FirstSteps() {
  const app = useApp()
  const state = useState()
  const [section] = channelSections(state)
  const channel = section?.channels[0]
  return (
    <section class="first-steps" aria-labelledby="first-steps">
      <header>
        <h2 id="first-steps">{t('Get started')}</h2>
        <button
          class="ghost"
          title={t('Dismiss')}
          aria-label={t('Dismiss')}
          onClick={() => (app.device.areFirstStepsDismissed.value = true)}
        >
          <Icon name="close" />
        </button>
      </header>
      <MailNotice />
      <ol>
        <InviteStep />
        <li>
          <div>
            <strong>{t('Create channels')}</strong>
            <p>{t('One for each team, project or subject.')}</p>
          </div>
          <a class="button" href="#channels/new">
            {t('New channel')}
          </a>
        </li>
        {channel && (
          <li>
            <div>
              <strong>{t('Say hello')}</strong>
              <p>{t('Your first message is what new people see.')}</p>
            </div>
            <a
              class="button"
              href={app.router.hrefOf({ view: 'narrow', narrow: ofChannel(channel.stream_id) })}
            >
              <Text of="Write in <0/>" parts={[<span dir="auto">{channel.name}</span>]} />
            </a>
          </li>
        )}
      </ol>
    </section>
  )
}

function InviteStep() {
  const app = useApp()
  const link = useSignal('')
  const invite = async () => {
    try {
      const { invite_link } = await app.api.call('POST /invites/multiuse', {
        include_realm_default_subscriptions: true,
      })
      link.value = invite_link
      await copyText(invite_link, t('Link copied'))
    } catch (error) {
      showError(error)
    }
  }
  return (
    <li>
      <div>
        <strong>{t('Invite people')}</strong>
        <p>{t('Anyone with the link can join for ten days.')}</p>
        {link.value !== '' && (
          <input
            readOnly
            aria-label={t('Invitation link')}
            value={link.value}
            onFocus={(event) => event.currentTarget.select()}
          />
        )}
      </div>
      {link.value === '' ? (
        <button class="button primary" onClick={() => void invite()}>
          {t('Copy invitation link')}
        </button>
      ) : (
        <a class="button" href="#organization/invitations">
          {t('All invitations')}
        </a>
      )}
    </li>
  )
}
