/** The path parameter of a domain. */

import { EMAIL_DOMAIN_LENGTH_MAX } from '../../../domain/limits.ts'
import { required, text } from '../../params.ts'

export const domainParam = required(text({ lengthMax: EMAIL_DOMAIN_LENGTH_MAX, trim: true }), 'The domain.')
