/** Addresses of pages that others lead to, and the names that pages share. */

import { LOG_IN_PAGE_PATH } from '../../api/provider-paths.ts'

export const FRONT_PATH = '/'
export const LOG_IN_PATH = LOG_IN_PAGE_PATH
export const LOG_OUT_PATH = '/accounts/logout'
export const SECURITY_PATH = '/accounts/security'
/** The settings of the account in the client: there a password is changed. */
export const PASSWORD_SETTINGS_PATH = '/#settings/account'
/** The list of one's own sessions in the client. */
export const DEVICE_SETTINGS_PATH = '/#settings/sessions'
/** The field with the token against cross-site requests, as forms of this API family name it. */
export const CSRF_FIELD = 'csrfmiddlewaretoken'
export const ASK_RESET_PATH = '/accounts/password/reset/'
