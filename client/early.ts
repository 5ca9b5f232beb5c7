/** The first script of the page, small so that it runs at once. */

import { beginEarly } from './app/early-requests.ts'

beginEarly()
