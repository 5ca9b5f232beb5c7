/** The first script of the page, small so that it runs at once. */

import { beginEarly } from './shell/early-requests.ts'

beginEarly()
