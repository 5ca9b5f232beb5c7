/** The page that makes the organization: its name, its owner and its first channels. */

import { renderSVG } from 'uqr'
import type { Services } from '../../api/services.ts'
import { openSession } from '../../api/log-in-session.ts'
import { defaulted, decodeParams, oneOf, required, text } from '../../api/params.ts'
import { FULL_NAME_MEANING, fullNameType } from '../../api/operations/users/account-params.ts'
import {
  createFirstInvitation,
  isSetupOpen,
  SETUP_ERRORS,
  setUpOrganization,
} from '../../changes/organization/set-up.ts'
import { EMAIL_LENGTH_MAX, PASSWORD_LENGTH_MAX, SETUP_CHANNELS_LENGTH_MAX } from '../../domain/limits.ts'
import { ORGANIZATION_NAME_LENGTH_MAX } from '../../../packages/rules/limits.ts'
import { ApiError } from '../../errors/api-error.ts'
import { COPY_SCRIPT_PATH, Html, html, htmlPage, NOTHING } from '../html.ts'
import { EMAIL_FIELD, FULL_NAME_FIELD, NEW_PASSWORD_FIELD } from './account-fields.ts'
import { problemOf } from './explain-error.ts'
import {
  checkbox,
  copyField,
  done,
  type Field,
  form,
  hint,
  lead,
  linkButton,
  links,
  problem,
} from './parts.ts'
import { FRONT_PATH, LOG_IN_PATH } from './paths.ts'
import type { ServeForm } from './serve-form.ts'

const PATH = /^\/setup\/([A-Za-z0-9]{1,100})\/?$/
const TITLE = 'Set up your organization'
const SUBMIT = 'Create organization'

const FIELDS: readonly Field[] = [
  {
    name: 'organization',
    label: 'Organization',
    autocomplete: 'organization',
    lengthMax: ORGANIZATION_NAME_LENGTH_MAX,
    hasFocus: true,
  },
  FULL_NAME_FIELD,
  EMAIL_FIELD,
  NEW_PASSWORD_FIELD,
  {
    name: 'channels',
    label: 'First channels',
    hint: 'Separated by commas. Everyone who joins is added to them.',
    autocomplete: 'off',
    lengthMax: SETUP_CHANNELS_LENGTH_MAX,
    value: 'general, random',
    isOptional: true,
  },
]

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
  { method, path, fields: given, exchange, userAgent },
  services,
) => {
  const [, token = ''] = PATH.exec(path) ?? []
  if (!(await isSetupOpen(services, token))) return OVER
  const intro = lead('You become its owner. You can change all of this later.')
  const isFirst = method !== 'POST'
  const choices = services.hasMailServer
    ? []
    : [unconfirmedChoice(isFirst || given.has('without_confirmation'))]
  if (isFirst) return htmlPage(200, TITLE, html`${intro}${form(FIELDS, SUBMIT, { given, choices })}`)
  try {
    const { organization: name, full_name: fullName, email, password, ...rest } = decodeParams(PARAMS, given)
    const owner = await setUpOrganization(services, {
      name,
      fullName,
      email,
      password,
      channelNames: rest.channels.split(/[,\r\n]+/),
      joinsWithoutConfirmation: !services.hasMailServer && rest.without_confirmation === 'on',
    })
    if (!owner) return OVER
    await openSession(services, exchange, owner, { userAgent })
    const invitationLink = await createFirstInvitation(services, owner)
    const content = ready(services, owner.email, invitationLink)
    return htmlPage(200, `${name} is ready`, content, { script: COPY_SCRIPT_PATH })
  } catch (error) {
    if (!(error instanceof ApiError) || !SETUP_ERRORS.includes(error.errorName)) throw error
    const wrong = problemOf(error, FIELDS)
    return htmlPage(error.status, TITLE, form(FIELDS, SUBMIT, { given, choices, wrong }))
  }
}

/** Nobody could confirm an address, so people could not join by the link. */
function unconfirmedChoice(isOn: boolean): Html {
  return checkbox({
    name: 'without_confirmation',
    label: 'Let people join by link without confirming their email address',
    hint: 'This server sends no email yet, so nobody could confirm one. You can change this later.',
    isOn,
  })
}

function ready({ publicUrl, hasMailServer, state }: Services, email: string, invitationLink: string): Html {
  const picture = renderSVG(invitationLink, { border: 2, ecc: 'M' })
  return html`${done(html`Logged in as <b>${email}</b>, the owner.`)}
${hasMailServer ? NOTHING : noMail(state.settings.joinsWithoutConfirmation)}
${copyField({
  id: 'link',
  label: 'Invitation link',
  hint: 'Anyone with this link can join. You can revoke it later.',
  value: invitationLink,
})}
${new Html(picture.replace('<svg ', '<svg class="qr" role="img" aria-label="QR code of the invitation link" '))}
${linkButton('Open Parley', FRONT_PATH)}
${hint(html`Server address for other apps: <code>${publicUrl}</code>`)}`
}

function noMail(joinsWithoutConfirmation: boolean): Html {
  const joining = joinsWithoutConfirmation
    ? 'People join by the link below with a name and a password.'
    : 'Nobody can join by the link below until it does, unless you allow that without a confirmation in the settings.'
  return html`<p class="note"><strong>This server sends no email yet.</strong> ${joining} Invitations and links for new passwords do not reach anyone: the operator of the server sets <code>MAIL_URL</code>.</p>`
}

const OVER = htmlPage(
  404,
  TITLE,
  html`${problem({ text: 'This link has expired or was replaced. The operator of this server can create a new one.' })}
${links(['Log in', LOG_IN_PATH])}`,
)
