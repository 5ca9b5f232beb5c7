/** The page that makes the organization: its name, its owner and its first channels. */

import { renderSVG } from 'uqr'
import type { Services } from '../../api/services.ts'
import { openSession } from '../../api/log-in-session.ts'
import { defaulted, decodeParams, oneOf, required, text } from '../../api/params.ts'
import { FULL_NAME_MEANING, fullNameType } from '../../api/operations/users/account-params.ts'
import {
  createFirstInvitation,
  firstChannelNames,
  isSetupOpen,
  SETUP_ERRORS,
  setUpOrganization,
} from '../../changes/organization/set-up.ts'
import {
  EMAIL_LENGTH_MAX,
  PASSWORD_LENGTH_MAX,
  SETUP_CHANNELS_LENGTH_MAX,
  SETUP_CHANNELS_MAX,
} from '../../domain/limits.ts'
import { ORGANIZATION_NAME_LENGTH_MAX } from '../../../packages/rules/limits.ts'
import { ApiError } from '../../errors/api-error.ts'
import { COPY_SCRIPT_PATH, type Html, html, htmlPage, NOTHING, type PeoplesPage } from '../html.ts'
import type { PageTexts } from '../page-texts.ts'
import { emailField, fullNameField, newPasswordField } from './account-fields.ts'
import { problemOf } from './explain-error.ts'
import {
  bold,
  checkbox,
  code,
  copyField,
  done,
  type Field,
  form,
  hint,
  lead,
  linkButton,
  links,
  type Problem,
  problem,
  qrPicture,
} from './parts.ts'
import { FRONT_PATH, LOG_IN_PATH } from './paths.ts'
import type { ServeForm } from './serve-form.ts'

const PATH = /^\/setup\/([A-Za-z0-9]{1,100})\/?$/
function fieldsIn(texts: PageTexts): readonly Field[] {
  const { t } = texts
  return [
    {
      name: 'organization',
      label: t('Organization'),
      autocomplete: 'organization',
      lengthMax: ORGANIZATION_NAME_LENGTH_MAX,
      hasFocus: true,
    },
    fullNameField(texts),
    emailField(texts),
    newPasswordField(texts),
    {
      name: 'channels',
      label: t('First channels'),
      hint: t('Separated by commas. Everyone who joins is added to them.'),
      autocomplete: 'off',
      lengthMax: SETUP_CHANNELS_LENGTH_MAX,
      value: t('general, random'),
      optional: t('(optional)'),
    },
  ]
}

const PARAMS = {
  organization: required(
    text({ lengthMax: ORGANIZATION_NAME_LENGTH_MAX, trim: true, blank: false }),
    'The name of the organization.',
  ),
  full_name: required(fullNameType, FULL_NAME_MEANING),
  email: required(text({ lengthMax: EMAIL_LENGTH_MAX, trim: true }), 'The email address of the owner.'),
  password: required(text({ lengthMax: PASSWORD_LENGTH_MAX }), 'Their password.'),
  channels: defaulted(text({ lengthMax: SETUP_CHANNELS_LENGTH_MAX }), '', 'Names of channels.'),
  without_confirmation: defaulted(
    oneOf('on', ''),
    '',
    'Whether people join without confirming their address.',
  ),
}

/** Whether a path is a link for the first set-up. */
export function isSetUpPath(path: string): boolean {
  return PATH.test(path)
}

/** Shows the form and handles its submission, which uses the link. */
export const serveSetUp: ServeForm = async (
  { method, path, fields: given, exchange, userAgent, texts },
  services,
) => {
  const [, token = ''] = PATH.exec(path) ?? []
  if (!(await isSetupOpen(services, token))) return overPage(texts)
  const { t } = texts
  const intro = lead(t('You become its owner. You can change all of this later.'))
  const fields = fieldsIn(texts)
  const isFirst = method !== 'POST'
  const choices = services.hasMailServer
    ? []
    : [unconfirmedChoice(isFirst || given.has('without_confirmation'), texts)]
  const asked = (wrong?: Problem) => form(fields, t('Create organization'), { given, choices, wrong })
  const title = t('Set up your organization')
  if (isFirst) return htmlPage(200, title, html`${intro}${asked()}`)
  try {
    const { organization: name, full_name: fullName, email, password, ...rest } = decodeParams(PARAMS, given)
    const channelNames = rest.channels.split(/[,\r\n]+/)
    if (firstChannelNames(channelNames).length > SETUP_CHANNELS_MAX) {
      const text = t('More than {count} channels: create the others later.', { count: SETUP_CHANNELS_MAX })
      return htmlPage(400, title, asked({ text, fieldId: 'channels' }))
    }
    const owner = await setUpOrganization(services, {
      name,
      fullName,
      email,
      password,
      channelNames,
      joinsWithoutConfirmation: !services.hasMailServer && rest.without_confirmation === 'on',
      language: texts.language,
    })
    if (!owner) return overPage(texts)
    await openSession(services, exchange, owner, { userAgent })
    const invitationLink = await createFirstInvitation(services, owner)
    const content = ready(services, texts, { email: owner.email, invitationLink })
    return htmlPage(200, t('{organization} is ready', { organization: name }), content, {
      script: COPY_SCRIPT_PATH,
    })
  } catch (error) {
    if (!(error instanceof ApiError) || !SETUP_ERRORS.includes(error.errorName)) throw error
    return htmlPage(error.status, title, asked(problemOf(error, fields, texts)))
  }
}

/** Nobody could confirm an address, so people could not join by the link. */
function unconfirmedChoice(isOn: boolean, { t }: PageTexts): Html {
  return checkbox({
    name: 'without_confirmation',
    label: t('Let people join by link without confirming their email address'),
    hint: t('This server sends no email yet, so nobody could confirm one. You can change this later.'),
    isOn,
  })
}

function ready(
  { publicUrl, hasMailServer, state }: Services,
  texts: PageTexts,
  { email, invitationLink }: { readonly email: string; readonly invitationLink: string },
): Html {
  const { t, markup } = texts
  const picture = renderSVG(invitationLink, { border: 2, ecc: 'M' })
  return html`${done(markup('Logged in as <0>{email}</0>, the owner.', { email }, [bold]))}
${hasMailServer ? NOTHING : noMail(state.settings.joinsWithoutConfirmation, texts)}
${copyField({
  id: 'link',
  label: t('Invitation link'),
  hint: t('Anyone with this link can join. You can revoke it later.'),
  value: invitationLink,
  copy: t('Copy link'),
  copied: t('Link copied'),
})}
${qrPicture(picture, t('QR code of the invitation link'))}
${linkButton(t('Open Parley'), FRONT_PATH)}
${hint(markup('Server address for other apps: <0>{url}</0>', { url: publicUrl }, [code]))}`
}

function noMail(joinsWithoutConfirmation: boolean, { t, markup }: PageTexts): Html {
  const joining = joinsWithoutConfirmation
    ? t('People join by the link below with a name and a password.')
    : t(
        'Nobody can join by the link below until it does, unless you allow that without a confirmation in the settings.',
      )
  const rest = markup(
    'Invitations and links for new passwords do not reach anyone: the operator of the server sets <0>MAIL_URL</0>.',
    {},
    [code],
  )
  return html`<p class="note"><strong>${t('This server sends no email yet.')}</strong> ${joining} ${rest}</p>`
}

function overPage({ t }: PageTexts): PeoplesPage {
  const text = t('This link has expired or was replaced. The operator of this server can create a new one.')
  return htmlPage(
    404,
    t('Set up your organization'),
    html`${problem({ text })}
${links([t('Log in'), LOG_IN_PATH])}`,
  )
}
