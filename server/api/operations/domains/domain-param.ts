/** The part of a path that names a domain of the organization. */

import { EMAIL_DOMAIN_LENGTH_MAX } from '../../../domain/limits.ts'
import { required, text } from '../../params.ts'

export const domainParam = required(text({ lengthMax: EMAIL_DOMAIN_LENGTH_MAX, trim: true }), 'The domain.')
