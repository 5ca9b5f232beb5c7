/** Next steps for the owner of a new organization, until there are other people. */

import { useSignal } from '@preact/signals'
import { useApp, useState } from '../../app/app.ts'
import { channelSections } from '../../store/derived/channels.ts'
import { ofChannel } from '../../store/narrows/narrow.ts'
import { Icon } from '../../ui/icon.tsx'
import { copyText } from '../../ui/copy-text.ts'
import { MailNotice } from '../../ui/mail-notice.tsx'
import { showError } from '../../ui/toasts.tsx'

export function FirstSteps() {
  const app = useApp()
  const state = useState()
  const [section] = channelSections(state)
  const channel = section?.channels[0]
  return (
    <section class="first-steps" aria-labelledby="first-steps">
      <header>
        <h2 id="first-steps">Get started</h2>
        <button
          class="ghost"
          title="Dismiss"
          aria-label="Dismiss"
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
            <strong>Create channels</strong>
            <p>One for each team, project or subject.</p>
          </div>
          <a class="button" href="#channels/new">
            New channel
          </a>
        </li>
        {channel && (
          <li>
            <div>
              <strong>Say hello</strong>
              <p>Your first message is what new people see.</p>
            </div>
            <a
              class="button"
              href={app.router.hrefOf({ view: 'narrow', narrow: ofChannel(channel.stream_id) })}
            >
              Write in <span dir="auto">{channel.name}</span>
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
      await copyText(invite_link, 'Link copied')
    } catch (error) {
      showError(error)
    }
  }
  return (
    <li>
      <div>
        <strong>Invite people</strong>
        <p>Anyone with the link can join for ten days.</p>
        {link.value !== '' && (
          <input
            readOnly
            aria-label="Invitation link"
            value={link.value}
            onFocus={(event) => event.currentTarget.select()}
          />
        )}
      </div>
      {link.value === '' ? (
        <button class="button primary" onClick={() => void invite()}>
          Copy invitation link
        </button>
      ) : (
        <a class="button" href="#organization/invitations">
          All invitations
        </a>
      )}
    </li>
  )
}
