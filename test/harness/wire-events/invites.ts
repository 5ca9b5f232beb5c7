/** Invitations, which are not in a registration. */

import { notRegistered, type WireReducers } from './wire-reducer.ts'

export const INVITE_REDUCERS: WireReducers = { 'invites_changed/': notRegistered }
